"""The output of `spellout rewrite`: rewritten programs, diffs, JSON records and explanations.

Colours are used only on a terminal, and not if `NO_COLOR` is set.
"""

from __future__ import annotations

import argparse
import difflib
import json
import math
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from corpora.deadline import LIMIT_OPTION
from corpora.errors import InputError
from corpora.foreign_text import one_line, printable
from rewrite import Rewritten
from rewrite.analysis.observers import find_line_readers
from rewrite.anf.rewrite_result import NOT_CHECKED, OVER_TOKEN_LIMIT, REFUSED, UNCHANGED, describe_raised
from rewrite.cost.budget import BUDGET
from runner.batch_rewriting.assumption_file import assumption_file, record_assumptions
from runner.inputs.source_files import SourceFile, replace_source
from runner.terminal.data import write_data

NOTHING = SourceFile("")
MAX_FACTS = 4
"""Assumptions that are printed without `--explain`."""
_LINE = re.compile(r"[^\n]*\n|[^\n]+")  # `splitlines` also splits at form feeds and other characters
_COLOURS = {"---": "1", "+++": "1", "@@": "36", "+": "32", "-": "31"}


@dataclass(frozen=True)
class FileRewrite:
    """A file with its rewrite or an error.

    Attributes:
        path: the file, or "-" for standard input.
        before: the original content.
        result: the rewrite; None after an error.
        error: the error message; "" if there is a result.
    """

    path: str
    before: SourceFile = NOTHING
    result: Rewritten | None = None
    error: str = ""


class RewriteWriter:
    """Writes the rewrites of files one by one, as the command line requires."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self._first: FileRewrite | None = None  # delayed until it is known whether a second file follows
        self._several = False
        self._left = False  # whether there are reasons for places left unchanged
        self._said = False  # whether a line says why a whole program was left unchanged

    def show(self, done: FileRewrite) -> str:
        """Writes the output of one file. Returns an error message if the file cannot be written, else ""."""
        given, result = self.arguments, done.result
        assert result is not None
        target = self._target(done, result)
        if target:
            try:
                replace_source(target, replace(done.before, text=result.source))
                record_assumptions(target, done.before.text, result.source, result.assumes, given.call)
            except InputError as error:
                return str(error)
        if given.json:
            sys.stdout.write(json.dumps(_record(done.path, result, given)) + "\n")
        elif given.diff:
            for line in _diff(done, result):
                self._write_diff(line)
        elif given.output:
            pass
        elif given.check or (given.write and done.path != "-"):
            if result.changed:
                sys.stdout.write(f"{one_line(done.path)}\n")
        else:
            self._text(done)
        if given.explain and not given.json:
            sys.stderr.writelines(map(_safe, _explanation(_shown(done), result)))
        else:
            whole = [*_whole_program(_shown(done), result)]
            sys.stderr.writelines(map(_safe, [*whole, *_over_limit(_shown(done), result)]))
            self._said = self._said or bool(whole)
        self._left = self._left or bool(result.left)
        if result.changed and not given.json:
            sys.stderr.writelines(map(_safe, _line_numbers(_shown(done), done.before.text)))
        if result.assumes and not given.json:
            sys.stderr.writelines(map(_safe, _assumed(_shown(done), result, target)))
        if given.call:
            sys.stderr.writelines(map(_safe, _trace_cost(_shown(done), result)))
        return ""

    def _target(self, done: FileRewrite, result: Rewritten) -> str:
        """The file that the rewritten program is written to, or ""."""
        if self.arguments.output:
            return str(self.arguments.output)
        return done.path if self.arguments.write and done.path != "-" and result.changed else ""

    def finish(self, *, is_unchanged: bool) -> None:
        """Writes the delayed output of a single file.

        Args:
            is_unchanged: whether all files were read and written, and none was changed.
        """
        if self._first is not None and self._first.result is not None:
            write_data(self._first.result.source, self._first.before.encoding)
        if is_unchanged and not (self._said or self.arguments.json or self.arguments.check):
            sys.stderr.write(f"spellout: nothing was changed: {self._why()}\n")

    def _why(self) -> str:
        if not self._left:
            return "the recipe found nothing to rewrite"
        return "see the reasons above" if self.arguments.explain else "--explain lists the reasons"

    def _text(self, done: FileRewrite) -> None:
        """Writes the rewritten program; for several files, below a comment with the file name."""
        if not self._several and self._first is None:
            self._first = done
            return
        for one in (self._first, done):
            if one is not None and one.result is not None:
                text = one.result.source
                end = "" if not text or text.endswith("\n") else "\n"
                write_data(f"# {one_line(_shown(one))}\n{text}{end}")
        self._first, self._several = None, True

    def _write_diff(self, line: str) -> None:
        if not self.coloured:
            write_data(line)
            return
        colour = next((colour for start, colour in _COLOURS.items() if line.startswith(start)), "")
        text = printable(line.rstrip("\r\n"))
        sys.stdout.write(f"\x1b[{colour}m{text}\x1b[0m\n" if colour else f"{text}\n")


def _safe(line: str) -> str:
    return one_line(line.rstrip("\n")) + "\n"


def _diff(done: FileRewrite, result: Rewritten) -> Iterator[str]:
    before, after = (_LINE.findall(text) for text in (done.before.text, result.source))
    return difflib.unified_diff(before, after, done.path, done.path)


def _shown(done: FileRewrite) -> str:
    return "<stdin>" if done.path == "-" else done.path


def _explanation(name: str, result: Rewritten) -> Iterator[str]:
    for change in sorted(result.changes, key=lambda change: (change.line, change.column)):
        yield f"{name}:{change.line}:{change.column}: {change.intervention}: {' '.join(change.expression.split())}\n"
    for one in result.assumes:
        yield f"{name}:{one.line}:{one.column}: assumed from the calls: {one.expression} {one.what}\n"
    for left, count in sorted(Counter(result.left).items()):
        values = "a value" if count == 1 else f"{count} values"
        yield f"{name}:{left.line}: left unchanged, {values}: {left.reason}\n"


def _assumed(name: str, result: Rewritten, target: str) -> Iterator[str]:
    """Two lines: what the rewrite assumes, and where `spellout verify` finds it."""
    facts = list(dict.fromkeys(f"{one.expression} {one.what}" for one in result.assumes))
    more = f"; {len(facts) - MAX_FACTS} more (--explain)" if len(facts) > MAX_FACTS else ""
    yield f"{name}: assumes what the calls show: {'; '.join(facts[:MAX_FACTS])}{more}\n"
    if target:
        yield f"{name}: recorded in {assumption_file(target)}, where `spellout verify` finds it\n"
    else:
        yield f"{name}: with --output FILE.py it is recorded, and `spellout verify` finds it\n"


def _whole_program(name: str, result: Rewritten) -> Iterator[str]:
    """The reasons that concern all of a program: it was refused, not checked, or cut by the time limit."""
    for left in result.left:
        if LIMIT_OPTION in left.reason or left.reason.startswith((NOT_CHECKED, REFUSED, UNCHANGED)):
            yield f"{name}: {left.reason}\n"


def _over_limit(name: str, result: Rewritten) -> Iterator[str]:
    """A line with the limit that kept changes from being made, and how many."""
    over = [left.reason.partition(", ")[0] for left in result.left if left.reason.startswith(OVER_TOKEN_LIMIT)]
    if over:
        what = "a change is" if len(over) == 1 else f"{len(over)} changes are"
        yield f"{name}: {what} left out, {over[0]} (--cost none lifts it, --explain lists them)\n"


def _line_numbers(name: str, source: str) -> Iterator[str]:
    """A line for a program that reads line numbers, which every rewrite changes."""
    if readers := find_line_readers(source):
        yield f"{name}: line numbers change, and the program may read them: {', '.join(readers)}\n"


def _trace_cost(name: str, result: Rewritten) -> Iterator[str]:
    """Lines with the calls that gave no evidence or raise, and the tokens of the longest trace."""
    for call, why in result.unobserved:
        yield f"{name}: no evidence from {call}: {why}\n"
    for call, exception in result.raised:
        yield f"{name}: {describe_raised(call, exception)}\n"
    if result.original_tokens is not None:
        after = "too long to be counted" if result.tokens is None else f"{result.tokens:,}"
        over = result.original_tokens <= BUDGET < (result.tokens or math.inf)
        warning = f", over the budget of {BUDGET:,}: --cost limits it, and `spellout plan` keeps to it" if over else ""
        yield f"{name}: tokens of the longest trace: {result.original_tokens:,}, rewritten {after}{warning}\n"


def _record(path: str, result: Rewritten, arguments: argparse.Namespace) -> dict[str, object]:
    record: dict[str, object] = {
        "file": path,
        "changed": result.changed,
        "applied": [item._asdict() for item in result.changes],
        "left": [{"line": item.line, "reason": item.reason} for item in result.left],
        "assumes": [item._asdict() for item in result.assumes],
        "unobserved": [{"call": call, "reason": reason} for call, reason in result.unobserved],
        "raised": [{"call": call, "exception": exception} for call, exception in result.raised],
        "tokens": result.tokens,
        "original_tokens": result.original_tokens,
        "origins": list(result.origins),
        "positions": [list(position) for position in result.positions],
    }
    if not (arguments.write or arguments.check):
        record["source"] = result.source
    return record
