"""Write rows to a file in the format that its extension names: one writer for every command, the mirror of the readers.

A file appears whole or not at all, and memory stays flat: CSV and Parquet, which need all columns before the first row,
keep rows in a temporary file until the last one is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from corpora.errors import InputError
from corpora.reading.streams import Form
from corpora.rows import one_line
from corpora.writing.csv_rows import csv_writer
from corpora.writing.json_lines import json_writer
from corpora.writing.parquet import parquet_writer
from corpora.writing.targets import Target, opened_target, target_of

Write = Callable[[Mapping[str, object]], None]
"""Writes one row."""

_WRITERS: dict[Form, Callable[[Target], AbstractContextManager[Write]]] = {
    "JSON lines": json_writer,
    "CSV": csv_writer,
    "TSV": csv_writer,
    "Parquet": parquet_writer,
}


@contextmanager
def row_writer(target: str | Path) -> Iterator[Write]:
    r"""A function that writes one row to a file, which replaces an existing one when the block ends without an error.

    Args:
        target: a path that ends in .jsonl, .json, .ndjson, .csv, .tsv or .parquet, each also with .gz or .zst behind
            it; "-" is standard output, as JSON lines.

    Raises:
        InputError: at once, for another extension; later, for a row that the format cannot hold and for a file that
            cannot be written.

    Example:
        >>> with row_writer("-") as write:
        ...     write({"id": 1, "code": "def f(): pass"})
        {"id": 1, "code": "def f(): pass"}
    """
    form, packing = target_of(target)
    try:
        with opened_target(target, form, packing) as opened, _WRITERS[form](opened) as write:
            yield write
    except OSError as error:
        if str(target) == "-" or isinstance(error, BrokenPipeError):
            raise
        raise InputError(f"cannot be written: {error.strerror or one_line(error)}", where=str(target)) from error


def write_rows(rows: Iterable[Mapping[str, object]], target: str | Path) -> int:
    """Writes every row to a file as `row_writer` does. Returns their number."""
    count = 0
    with row_writer(target) as write:
        for count, row in enumerate(rows, 1):  # noqa: B007 - the count is the result
            write(row)
    return count
