"""What `spellout rewrite` writes: new texts, differences, records, explanations; several files are told apart.

Colours for a terminal only, and none where `NO_COLOR` is set. Nothing is rewritten here.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from corpora.errors import InputError
from rewrite import Rewritten
from runner.inputs.source_files import Source, replace_source
from runner.terminal.console import printable

NOTHING = Source("")
_COLOURS = {"---": "1", "+++": "1", "@@": "36", "+": "32", "-": "31"}


@dataclass(frozen=True)
class Done:
    """A file and its rewrite, or what is wrong with it."""

    path: str
    before: Source = NOTHING
    result: Rewritten | None = None
    error: str = ""


class Output:
    """Writes one file after the other as the command line asks for."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self._first: Done | None = None  # held back until it is known whether another one follows
        self._several = False

    def show(self, done: Done) -> str:
        """Write what is asked for; gives what is wrong, should the file not let itself be written."""
        assert done.result is not None
        given = self.arguments
        if given.write and done.path != "-" and done.result.changed:
            try:
                replace_source(done.path, replace(done.before, text=done.result.source))
            except InputError as error:
                return str(error)
        if given.json:
            sys.stdout.write(json.dumps(_record(done, given)) + "\n")
        elif given.diff:
            sys.stdout.writelines(map(self._painted, _diff(done)))
        elif given.check or (given.write and done.path != "-"):
            if done.result.changed:
                sys.stdout.write(f"{printable(done.path)}\n")
        else:
            self._text(done)
        if given.explain and not given.json:
            sys.stderr.writelines(map(_safe, _explanation(done)))
        if given.call:
            sys.stderr.writelines(map(_safe, _price(done)))
        return ""

    def finish(self) -> None:
        """Write what was held back: the text of a file that is the only one."""
        if self._first is not None and self._first.result is not None:
            sys.stdout.write(self._first.result.source)

    def _text(self, done: Done) -> None:
        """The new text; of several files, below a comment that names each."""
        if not self._several and self._first is None:
            self._first = done
            return
        for one in (self._first, done):
            if one is not None and one.result is not None:
                text = one.result.source
                end = "" if not text or text.endswith("\n") else "\n"
                sys.stdout.write(f"# {printable(_shown(one))}\n{text}{end}")
        self._first, self._several = None, True

    def _painted(self, line: str) -> str:
        if not self.coloured:
            return line
        colour = next((colour for start, colour in _COLOURS.items() if line.startswith(start)), "")
        text = printable(line.rstrip("\r\n"))
        return f"\x1b[{colour}m{text}\x1b[0m\n" if colour else f"{text}\n"


def _safe(line: str) -> str:
    return printable(line.rstrip("\n")) + "\n"


def _diff(done: Done) -> Iterator[str]:
    assert done.result is not None
    before, after = done.before.text.splitlines(keepends=True), done.result.source.splitlines(keepends=True)
    return difflib.unified_diff(before, after, done.path, done.path)


def _shown(done: Done) -> str:
    return "<stdin>" if done.path == "-" else done.path


def _explanation(done: Done) -> Iterator[str]:
    assert done.result is not None
    for change in sorted(done.result.changes, key=lambda change: (change.line, change.column)):
        where = f"{_shown(done)}:{change.line}:{change.column}"
        yield f"{where}: {change.intervention}: {' '.join(change.expression.split())}\n"
    for one in done.result.assumes:
        yield f"{_shown(done)}:{one.line}:{one.column}: assumed, as the calls show: {one.expression} {one.what}\n"
    for left, count in sorted(Counter(done.result.left).items()):
        values = "a value" if count == 1 else f"{count} values"
        yield f"{_shown(done)}:{left.line}: left alone, {values}: {left.reason}\n"


def _price(done: Done) -> Iterator[str]:
    """The calls that showed nothing, and the tokens of the longest trace."""
    assert done.result is not None
    result = done.result
    for call, why in result.unobserved:
        yield f"{_shown(done)}: shows nothing: {call}: {why}\n"
    if result.original_tokens is not None:
        after = "too long to be counted" if result.tokens is None else f"{result.tokens:,}"
        yield f"{_shown(done)}: tokens of the longest trace: {result.original_tokens:,}, rewritten {after}\n"


def _record(done: Done, arguments: argparse.Namespace) -> dict[str, object]:
    assert done.result is not None
    result = done.result
    record: dict[str, object] = {
        "file": done.path,
        "changed": result.changed,
        "applied": [item._asdict() for item in result.changes],
        "left": [{"line": item.line, "reason": item.reason} for item in result.left],
        "assumes": [item._asdict() for item in result.assumes],
        "unobserved": [{"call": call, "reason": reason} for call, reason in result.unobserved],
        "tokens": result.tokens,
        "original_tokens": result.original_tokens,
        "origins": list(result.origins),
        "positions": [list(position) for position in result.positions],
    }
    if not (arguments.write or arguments.check):
        record["source"] = result.source
    return record
