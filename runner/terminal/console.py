"""Where commands write: results to standard output at a width that survives a pipe, progress to standard error.

What programs, rows and paths contain is only ever shown as text: no markup is read in it, and what would steer a
terminal is spelled out. No command decides this for itself. What is written is the commands' business.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

PIPED_WIDTH = 120

# Control characters but tab and newline (a carriage return overwrites its line), lone surrogates, bidirectional marks.
_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")

_LINE_ENDS = re.compile(r"[\n\t\u2028\u2029]")


def printable(text: str) -> str:
    r"""Text that a terminal shows and does not obey: steering characters as the escapes that Python has for them.

    >>> print(printable("a\x1b[2J\ud800b"))
    a\x1b[2J\ud800b
    """
    return _STEERING.sub(lambda found: _escape(ord(found[0])), text)


def one_line(text: str) -> str:
    r"""Printable text on one line: what ends a line, and a tab, is an escape too.

    >>> one_line("a\nb")
    'a\\nb'
    """
    return _LINE_ENDS.sub(lambda found: repr(found[0])[1:-1], printable(text))


def _escape(code: int) -> str:
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def shown(text: str, style: str = "") -> Text:
    """Foreign text with a style, as rich takes it anywhere."""
    return Text(printable(text), style)


class PlainConsole(Console):
    """A console that takes every string as text; styles are given as styles."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, **options)

    def on_broken_pipe(self) -> None:
        """Raises the BrokenPipeError that rich would turn into exit status 1: the command line handles it."""
        raise

    def render_str(self, text: str, **options: Any) -> Text:
        """A string as rich renders it wherever one stands: printed by itself, in a cell, a title, a header."""
        return super().render_str(printable(text), **options)


def output_console() -> Console:
    """Standard output: as wide as the terminal, or wide enough for every table where it is a pipe or file."""
    return PlainConsole(width=None if sys.stdout.isatty() else PIPED_WIDTH)


def error_console() -> Console:
    """Standard error: progress, warnings, where the results lie."""
    return PlainConsole(stderr=True)


def warn(console: Console, text: str) -> None:
    """One line about something skipped: never wrapped."""
    console.print(one_line(text), style="yellow", soft_wrap=True)


class _Description(TextColumn):
    """What a task is called, which may hold the name of a model or a path."""

    def render(self, task: Task) -> Text:
        """The description as text."""
        return shown(task.description)


class LineProgress(Progress):
    """Progress as plain lines, at most one in `SECONDS` seconds, for logs and pipes, where no bar can be redrawn."""

    SECONDS = 10

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(console=console, get_time=clock, auto_refresh=False, disable=True)
        self._clock = clock
        self._said = clock()

    def advance(self, task_id: TaskID, advance: float = 1) -> None:
        """As Progress has it; says how far the task is when a line is due."""
        super().advance(task_id, advance)
        self._say_when_due(task_id)

    def update(self, task_id: TaskID, **fields: Any) -> None:
        """As Progress has it; says how far the task is when a line is due."""
        super().update(task_id, **fields)
        self._say_when_due(task_id)

    def _say_when_due(self, task_id: TaskID) -> None:
        now = self._clock()
        if now - self._said >= self.SECONDS:
            self._said = now
            task = self.tasks[self.task_ids.index(task_id)]
            of = "" if task.total is None else f" of {task.total:,.0f}"
            elapsed = timedelta(seconds=int(task.elapsed or 0))
            self.console.print(one_line(f"{task.description}: {task.completed:,.0f}{of}, {elapsed}"), soft_wrap=True)


def progress_bar(*, shown: bool = True) -> Progress:
    """Bars with counts and elapsed time, on standard error (none, unless `shown`); plain lines without a terminal."""
    console = error_console()
    if shown and not console.is_terminal:
        return LineProgress(console)
    columns = (_Description(""), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    # Rich would send what is written to standard output meanwhile to standard error, also where it is a pipe.
    return Progress(*columns, console=console, redirect_stdout=sys.stdout.isatty(), disable=not shown)
