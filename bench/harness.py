"""What the scripts of this folder share. A script says which data, what is measured of one item, and which rows.

- The command line: `command` with the docstring as its help, and options that several scripts have.
- The data: the programs of a `population` (`lab.populations`).
- The measure: `measured` maps a function over items in processes and shows how far it is.
- The rows: `print_table` prints each as soon as it is there; `ratio` and `estimate` write what a cell has.

The table of speed has rows of its own (`measured_row`). `figures.py` runs the scripts and finds their tables in what
they print (`tables`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TypeVar

from lab.populations import POPULATIONS, CalledProgram, failed_programs
from runner.terminal.console import progress_bar
from runner.terminal.tables import table_lines

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")
SETS: dict[str, Callable[[Path], Iterator[CalledProgram]]] = {
    "failures": failed_programs,
    "wrong answers": partial(failed_programs, truncated=False),
    **POPULATIONS,
}
"""The published failures of CWM, all or without those that were cut off, and the populations."""


def command(about: str | None, *options: Callable[[argparse.ArgumentParser], object]) -> argparse.ArgumentParser:
    """The command line of a script.

    Args:
        about: The docstring of the script.
        options: What add shared options, such as `lab.published_data.add_data_option`.
    """
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    for add in options:
        add(parser)
    return parser


def population(name: str, data: Path, every: int = 1, offset: int = 0) -> list[CalledProgram]:
    """The programs of a set in `SETS`; none, with a message on standard error, if its file is missing."""
    try:
        return list(SETS[name](data))[offset::every]
    except FileNotFoundError as error:
        sys.stderr.write(f"left out: there is no {error.filename}\n")
        return []


def measured(
    measure: Callable[[ItemT], ResultT],
    items: Sequence[ItemT],
    name: str,
    jobs: int | None = None,
    *,
    fresh: bool = False,
) -> Iterator[ResultT]:
    """What is measured of each item, in order.

    Args:
        measure: Can be pickled, as can items and results.
        items: What is measured.
        name: What progress on standard error is called.
        jobs: Number of processes (default: one per core).
        fresh: Whether each item is measured in a new process (default: a process measures many).
    """
    with ProcessPoolExecutor(jobs, max_tasks_per_child=1 if fresh else None) as pool, progress_bar() as progress:
        yield from progress.track(pool.map(measure, items), total=len(items), description=name)


def print_table(columns: Sequence[str], rows: Iterable[Iterable[object]], *rules: str) -> None:
    """Prints a Markdown table, row by row; the arguments are those of `table_lines`."""
    lines = table_lines(columns, rows, *rules)
    print(next(lines).replace("|  |", "| |"))  # as the pages write a column without a name
    for line in lines:
        print(line, flush=True)


def ratio(part: int, whole: int, form: str = ".0%") -> str:
    """A number of a whole, with the share in brackets; "" of nothing.

    >>> ratio(1200, 3600, ".1%")
    '1,200 of 3,600 (33.3%)'
    """
    return f"{part:,} of {whole:,} ({part / whole:{form}})" if whole else ""


def estimate(numbers: Iterable[float], form: str = ".2f") -> str:
    """A number with the bounds of its interval.

    >>> estimate((0.5, 0.25, 1))
    '0.50 [0.25, 1.00]'
    """
    value, low, high = (f"{number:{form}}" for number in numbers)
    return f"{value} [{low}, {high}]"


def tables(text: str) -> list[list[str]]:
    """The lines of each Markdown table of a text.

    >>> tables("a\\n\\n|b|\\n|-|\\n\\nc\\n\\n|d|\\n|-|\\n")
    [['|b|', '|-|'], ['|d|', '|-|']]
    """
    return [list(lines) for is_row, lines in groupby(text.splitlines(), lambda line: line[:1] == "|") if is_row]
