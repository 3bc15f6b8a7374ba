"""The data set argument of all commands: reading rows, renaming columns, and tolerating unreadable rows.

Adds to `corpora.read_rows` the benchmarks of the embedded model, the options `--column` and `--max-bad`, and the error
for a data set without any readable row.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from corpora import BadRow, Row, read_rows
from corpora.dataset import case_rows, is_bare_hub_id
from corpora.errors import InputError
from runner.inputs.benchmarks import POCKET_BENCHMARKS, benchmark_cases
from runner.inputs.programs import column_mapping
from runner.terminal.console import warn
from runner.terminal.options import add_number, add_repeatable

DATA_HELP = "a data set: .jsonl, .csv or .parquet (also .gz, .zst), - for standard input, hf:ORG/NAME, or a benchmark"
LIMIT_HELP = "use only the first N rows (default: all)"


def add_data_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of every command that reads a data set."""
    add_column_option(parser, "read FIELD from COLUMN of the data set; repeatable")
    add_number(
        parser, "--max-bad", "exit with status 2 if more than N rows are unreadable (default: only if all are)", least=0
    )


def add_column_option(parser: argparse.ArgumentParser, text: str) -> None:
    """Adds `--column`, whose values `column_mapping` parses, with this help text."""
    add_repeatable(parser, "--column", "FIELD=COLUMN", text)


def data_rows(data: str | Iterable[object], mapping: list[str] | Mapping[str, str]) -> Iterator[Row | BadRow]:
    """The rows of a data set.

    The first row is read at once, so that unreadable input is reported before any progress bar appears.

    Args:
        data: the value of a DATASET argument, or rows in memory.
        mapping: the values of `--column`, as "FIELD=COLUMN" or as {field: column}.

    Raises:
        InputError: the data set cannot be read, or an element of `mapping` is malformed.
    """
    columns = column_mapping(mapping) if isinstance(mapping, list) else mapping
    if not isinstance(data, str):
        rows = read_rows(data, columns)
    elif data in POCKET_BENCHMARKS:
        rows = read_rows(case_rows(benchmark_cases(data, None), data), columns)
    else:
        rows = read_rows(_named(data), columns)
    first = next(rows, None)
    return rows if first is None else chain([first], rows)


def _named(name: str) -> str:
    if not is_bare_hub_id(name):
        return name
    warn(f"{name}: no such file, so it is read as hf:{name}; the next version will only read files by this name")
    return f"hf:{name}"


@dataclass
class RowTally:
    """Counts rows and unusable rows.

    Attributes:
        source: name of the data set, for error messages.
        rows: number of rows read.
        bad: number of rows that could not be used.
        first: the first of these.
    """

    source: str
    rows: int = 0
    bad: int = 0
    first: BadRow | None = None

    def add(self, bad: BadRow | None) -> None:
        """Counts one row. `bad` is None if the row is usable."""
        self.rows += 1
        if bad is not None:
            self.bad += 1
            self.first = self.first or bad

    def check(self, max_bad: int | None) -> None:
        """Raises InputError if no row could be read, or if more than `max_bad` could not."""
        first = f"; the first is {self.first.where}: {self.first.reason}" if self.first else ""
        if self.bad >= self.rows:
            raise InputError(f"none of its {self.rows:,} rows could be read{first}", where=self.source)
        if max_bad is not None and self.bad > max_bad:
            raise InputError(
                f"{self.bad:,} of {self.rows:,} rows could not be read, more than --max-bad {max_bad}{first}",
                where=self.source,
            )
