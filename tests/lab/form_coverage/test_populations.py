"""The populations: each program has a call that can be run."""

from __future__ import annotations

import ast
from itertools import islice

import pytest

from lab.form_coverage.__main__ import main
from lab.form_coverage.populations import POPULATIONS
from tests.places import DATA


@pytest.mark.parametrize("name", POPULATIONS)
def test_programs_and_calls_parse(name: str) -> None:
    if name != "humaneval" and not DATA.is_dir():
        pytest.skip(f"{DATA} is missing")
    for one in islice(POPULATIONS[name](DATA), 20):
        ast.parse(one.source)
        ast.parse(one.call, mode="eval")


@pytest.mark.medium
def test_the_command_prints_the_tables(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--data", ".", "--population", "humaneval", "--every", "90"])
    printed = capsys.readouterr().out
    assert printed.startswith("## humaneval: 2 programs")
    assert "| strings |" in printed
