"""Where commands write: results to standard output at a width that survives a pipe, progress to standard error.

No command decides this for itself. What is written is the commands' business.
"""

from __future__ import annotations

import sys

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

PIPED_WIDTH = 120


def output_console() -> Console:
    """Standard output: as wide as the terminal, or wide enough for every table where it is a pipe or file."""
    return Console(width=None if sys.stdout.isatty() else PIPED_WIDTH)


def error_console() -> Console:
    """Standard error: progress, warnings, where the results lie."""
    return Console(stderr=True)


def warn(console: Console, text: str) -> None:
    """One line about something skipped: never wrapped, no part of it taken for markup."""
    console.print(text, style="yellow", markup=False, highlight=False, soft_wrap=True)


def progress_bar(*, shown: bool = True) -> Progress:
    """Bars with counts and elapsed time, on standard error (none, unless `shown`)."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    # Rich would send what is written to standard output meanwhile to standard error, also where it is a pipe.
    return Progress(*columns, console=error_console(), redirect_stdout=sys.stdout.isatty(), disable=not shown)
