"""Consoles and progress bars: results go to standard output, progress and warnings to standard error.

Strings from programs, rows and paths are untrusted. They are printed literally: without markup, and with control
characters escaped. In a pipe the width is fixed, so that output does not depend on the terminal.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from corpora.foreign_text import one_line, printable
from runner.terminal import waiting

PIPED_WIDTH = 120


def styled(text: str, style: str = "") -> Text:
    """An untrusted string as rich text with a style."""
    return Text(printable(text), style)


class PlainConsole(Console):
    """A console that prints strings without markup, emoji codes or highlighting, in a notebook too as plain text."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, force_jupyter=False, **options)

    def on_broken_pipe(self) -> None:
        """Raises the BrokenPipeError again, which rich turns into exit status 1; `runner.cli` handles it."""
        raise

    def render_str(self, text: str, **options: Any) -> Text:
        """Renders a string, also one in a table cell, title or header."""
        return super().render_str(printable(text), **options)


def output_console() -> Console:
    """The console of standard output: as wide as the terminal, or `PIPED_WIDTH` columns in a pipe or file."""
    return PlainConsole(width=None if sys.stdout.isatty() else PIPED_WIDTH)


def error_console() -> Console:
    """The console of standard error, for progress, warnings and the paths of written files."""
    return PlainConsole(stderr=True)


def print_lines(console: Console, *lines: str | Text, style: str | None = None) -> None:
    """Prints lines, never wrapped."""
    for line in lines:
        console.print(line, style=style, soft_wrap=True)


def note(*lines: object, style: str | None = None) -> None:
    """Prints lines on standard error, never wrapped."""
    print_lines(error_console(), *map(str, lines), style=style)


def warn(*lines: object) -> None:
    """Prints warnings on standard error, one line each, never wrapped."""
    note(*(one_line(str(line)) for line in lines), style="yellow")


class _Description(TextColumn):
    """The description of a task, which may contain an untrusted path or model name."""

    def render(self, task: Task) -> Text:
        """The description without markup."""
        return styled(task.description)


class RateColumn(ProgressColumn):
    """The number of steps per second."""

    def render(self, task: Task) -> Text:
        """The rate since the task began."""
        return Text(_rate(task))


def _rate(task: Task) -> str:
    elapsed = task.elapsed or 0
    return f"{task.completed / elapsed:,.1f}/s" if elapsed >= 1 and task.completed else ""


def _time_left(task: Task) -> str:
    if not task.elapsed or not task.completed or task.total is None:
        return ""
    left = task.elapsed * (task.total - task.completed) / task.completed
    return f"{timedelta(seconds=int(max(0.0, left)))} left"


class LineProgress(Progress):
    """Progress as plain lines for logs and pipes: the first after `FIRST` seconds, then at most one per `SECONDS`.

    The last line of a task has its last count, so that no earlier one is taken for the result.

    Args:
        console: where the lines are printed.
        clock: the time in seconds.
        rate: whether lines have the rate and the time left.
    """

    FIRST = waiting.SECONDS
    SECONDS = 10

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic, *, rate: bool = False) -> None:
        super().__init__(console=console, get_time=clock, auto_refresh=False, disable=True)
        self._clock = clock
        self._rate = rate
        self._last = clock()
        self._printed: dict[TaskID, float] = {}  # by task, what was completed when its last line was printed
        self._alarm = ExitStack()

    def start(self) -> None:
        """Begins, and prints a line in two seconds, whether or not a step has been completed."""
        super().start()
        self._alarm.enter_context(waiting.alarm(self._print_first, self.FIRST))

    def stop(self) -> None:
        """Ends, and prints how far each task came that has a line with another count."""
        self._alarm.close()
        for task in self.tasks:
            if self._printed.get(task.id, task.completed) != task.completed:
                self._print(task)
        super().stop()

    def advance(self, task_id: TaskID, advance: float = 1) -> None:
        """Updates the task, and prints a line if one is due."""
        super().advance(task_id, advance)
        self._print_when_due(task_id)

    def update(self, task_id: TaskID, **fields: Any) -> None:
        """Updates the task, and prints a line if one is due."""
        super().update(task_id, **fields)
        self._print_when_due(task_id)

    def _print_first(self) -> None:
        for task in [task for task in self.tasks if task.visible and not task.finished][:1]:
            self._print(task)

    def _print_when_due(self, task_id: TaskID) -> None:
        if self._clock() - self._last >= self.SECONDS:
            self._print(self.tasks[self.task_ids.index(task_id)])

    def _print(self, task: Task) -> None:
        self._last = self._clock()
        self._printed[task.id] = task.completed
        of = "" if task.total is None else f" of {task.total:,.0f}"
        elapsed = timedelta(seconds=int(task.elapsed or 0))
        measured = [_rate(task), _time_left(task)] if self._rate else []
        parts = [f"{task.description}: {task.completed:,.0f}{of}", str(elapsed), *filter(None, measured)]
        self.console.print(one_line(", ".join(parts)), soft_wrap=True)


def progress_bar(*, shown: bool = True, rate: bool = False) -> Progress:
    """Progress bars on standard error, or plain lines if that is not a terminal; nothing unless `shown`.

    Args:
        shown: whether anything is shown.
        rate: whether steps per second and the time left are shown too, for work that may take hours.
    """
    console = error_console()
    if shown and not console.is_terminal:
        return LineProgress(console, rate=rate)
    columns: tuple[ProgressColumn, ...] = (_Description(""), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    if rate:
        columns += (RateColumn(), TimeRemainingColumn())
    # Rich redirects standard output to standard error while a bar is shown, which must not happen in a pipe.
    return Progress(*columns, console=console, redirect_stdout=sys.stdout.isatty(), disable=not shown)
