"""The help texts are those of the snapshots in `tests/runner/help`, so that a review shows every change of them.

`python -m tests.runner.help_texts` writes the snapshots anew. argparse lays help texts out differently in each version
of Python; the snapshots are those of 3.11.
"""

from __future__ import annotations

import argparse
import sys

import pytest

from tests.runner.help_texts import COLUMNS, FOLDER, help_texts, parsers

PARSERS = list(parsers())


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="argparse lays help texts out differently")
def test_help_texts_are_those_of_the_snapshots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", COLUMNS)
    snapshots = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.txt")}
    assert help_texts() == snapshots, "python -m tests.runner.help_texts"


@pytest.mark.parametrize("parser", PARSERS, ids=lambda parser: parser.prog)
def test_every_help_text_ends_with_examples(parser: argparse.ArgumentParser) -> None:
    assert parser.description and parser.epilog and parser.epilog.startswith("examples:\n  spellout ")


@pytest.mark.parametrize("parser", PARSERS, ids=lambda parser: parser.prog)
def test_every_option_has_a_help_text_that_names_its_default(parser: argparse.ArgumentParser) -> None:
    for option in parser._actions:
        if isinstance(option, argparse._SubParsersAction):
            continue
        assert option.help, option.dest
        has_default = option.option_strings and option.default not in (None, False, [], argparse.SUPPRESS)
        if has_default and not isinstance(option, argparse._StoreConstAction):
            assert "(default: " in option.help, option.option_strings
