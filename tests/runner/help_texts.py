"""The help texts of the command line. `python -m tests.runner.help_texts` writes their snapshots anew."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

from runner.cli import build_parser, command_names

FOLDER = Path(__file__).parent / "help"
COLUMNS = "100"
"""Width of the terminal that the snapshots are made for."""


def parsers() -> Iterator[argparse.ArgumentParser]:
    """The parser of the command line, of every command, and of the commands inside these."""
    yield from _with_commands(build_parser(command_names()))


def _with_commands(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from _with_commands(inner)


def help_texts() -> dict[str, str]:
    """Each help text by the name of its snapshot, such as "spellout-corpora-make.txt"."""
    return {f"{parser.prog.replace(' ', '-')}.txt": parser.format_help() for parser in parsers()}


if __name__ == "__main__":
    os.environ["COLUMNS"] = COLUMNS
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name, text in help_texts().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
