"""Where the rows of a command come from, and when too few of them could be read: the same for every command.

Adds to `corpora.read_rows` the benchmarks of the embedded model, the options `--column` and `--max-bad`, and the
line that ends a command which could read nothing. What it does not do: read or run anything itself.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from corpora import BadRow, Row, read_rows
from corpora.dataset import bare_hub_id, case_rows
from corpora.errors import InputError
from runner.inputs.benchmarks import OWN, benchmark_cases
from runner.inputs.programs import column_mapping
from runner.terminal.console import error_console, warn
from runner.terminal.options import whole

DATA = "DATASET"
DATA_HELP = "a file (.jsonl, .csv, .parquet; .gz, .zst), - for standard input, hf:org/name, or a benchmark's name"


def add_data_options(parser: argparse.ArgumentParser) -> None:
    """The options of every command that reads rows."""
    parser.add_argument(
        "--column", action="append", default=[], metavar="FIELD=COLUMN", help="rename a data set's columns"
    )
    parser.add_argument(
        "--max-bad",
        type=whole(),
        metavar="N",
        help="exit 2 where more than N rows cannot be read",
    )


def data_rows(data: str | Iterable[object], mapping: list[str]) -> Iterator[Row | BadRow]:
    """The rows of what stands for DATASET on a command line, or of rows in memory, with the options of `--column`.

    The first of them is read at once: raises InputError, before any progress is shown, for what cannot be read.
    """
    columns = column_mapping(mapping)
    if not isinstance(data, str):
        rows = read_rows(data, columns)
    elif data in OWN:
        rows = read_rows(case_rows(benchmark_cases(data, None), data), columns)
    else:
        rows = read_rows(_named(data), columns)
    first = next(rows, None)
    return rows if first is None else chain([first], rows)


def _named(name: str) -> str:
    if not bare_hub_id(name):
        return name
    warn(error_console(), f"{name}: no such file, read as hf:{name}; the next version reads it as a file only")
    return f"hf:{name}"


@dataclass
class Tally:
    """How many rows were read and how many of them could not be used, with the first of those."""

    source: str
    rows: int = 0
    bad: int = 0
    first: BadRow | None = None

    def add(self, bad: BadRow | None) -> None:
        """Counts a row, which is bad or not."""
        self.rows += 1
        if bad is not None:
            self.bad += 1
            self.first = self.first or bad

    def check(self, max_bad: int | None) -> None:
        """Raises InputError where nothing could be read, or more than `max_bad` rows could not."""
        first = f"; the first is {self.first.where}: {self.first.reason}" if self.first else ""
        if self.bad >= self.rows:
            raise InputError(f"none of its {self.rows:,} rows could be read{first}", where=self.source)
        if max_bad is not None and self.bad > max_bad:
            raise InputError(
                f"{self.bad:,} of {self.rows:,} rows could not be read, more than --max-bad {max_bad}{first}",
                where=self.source,
            )
