"""The data set argument of all commands: reading rows, renaming columns, and tolerating unreadable rows.

Adds to `corpora.read_rows` the benchmark `demo`, the options `--column` and `--max-bad`, and the error
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
from corpora.rows import FailedRow
from runner.inputs.benchmarks import DEMO, benchmark_cases
from runner.inputs.program_files import column_mapping
from runner.inputs.python_files import is_python_file
from runner.terminal.options import add_number, add_repeatable

DATA_HELP = "a data set: .jsonl, .csv or .parquet (also .gz, .zst), - for standard input, hf:ORG/NAME, or a benchmark"
LIMIT_HELP = "use only the first N rows (default: all)"


def add_data_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of every command that reads a data set."""
    add_column_option(parser, "read FIELD from COLUMN of the data set; repeatable")
    add_number(
        parser,
        "--max-bad",
        "exit with status 2 if more than N rows are unreadable or fail (default: if all are unreadable, or one fails)",
        least=0,
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
    elif data == DEMO:
        rows = read_rows(case_rows(benchmark_cases(data, None), data), columns)
    else:
        rows = read_rows(_named(data), columns)
    first = next(rows, None)
    return rows if first is None else chain([first], rows)


def _named(name: str) -> str:
    if is_python_file(name):
        raise InputError("is a program, not a data set: rows have `code` and `call`", where=name)
    if not is_bare_hub_id(name):
        return name
    from runner.terminal.console import warn

    warn(f"{name}: no such file, so it is read as hf:{name}; the next version will only read files by this name")
    return f"hf:{name}"


@dataclass
class RowTally:
    """Counts rows, those that cannot be used, and those on which the work failed.

    Attributes:
        source: name of the data set, for error messages.
        rows: number of rows read.
        bad: number of rows that could not be used.
        failed: number of rows that could be used, and whose processing failed.
        first: the first of both.
    """

    source: str
    rows: int = 0
    bad: int = 0
    first: BadRow | None = None
    failed: int = 0

    def add(self, bad: BadRow | None) -> None:
        """Counts one row. `bad` is None if the row was processed."""
        self.rows += 1
        if isinstance(bad, FailedRow):
            self.failed += 1
        elif bad is not None:
            self.bad += 1
        self.first = self.first or bad

    def check(self, max_bad: int | None) -> None:
        """Raises InputError if no row could be read, more than `max_bad` could not, or processing failed."""
        self.check_readable(max_bad)
        self.check_failed(max_bad)

    def check_readable(self, max_bad: int | None) -> None:
        """Raises InputError if no row could be read, or if more than `max_bad` could not."""
        if self.bad >= self.rows:
            raise InputError(f"none of its {self.rows:,} rows could be read{self._first()}", where=self.source)
        if max_bad is not None and self.bad > max_bad:
            raise InputError(
                f"{self.bad:,} of {self.rows:,} rows could not be read, more than --max-bad {max_bad}{self._first()}",
                where=self.source,
            )

    def check_failed(self, max_bad: int | None) -> None:
        """Raises InputError if the processing of a row failed, and `max_bad` does not tolerate it."""
        if self.failed and self.failed + self.bad > (max_bad or 0):
            rows = "1 row" if self.failed == 1 else f"{self.failed:,} rows"
            unread = f", and {self.bad:,} could not be read" if self.bad else ""
            raise InputError(f"{rows} of {self.rows:,} failed{unread}{self._first()}", where=self.source)

    def _first(self) -> str:
        return f"; the first is {self.first.where}: {self.first.reason}" if self.first else ""
