"""Writes rows to a file in the format of its extension. Every command writes rows through this module.

A file appears as a whole or not at all, and memory use is constant: CSV and Parquet, which need all columns before the
first row, keep rows in a temporary file until the last one is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from corpora.errors import InputError
from corpora.reading.streams import FileFormat
from corpora.rows import one_line
from corpora.writing.csv_rows import csv_writer
from corpora.writing.json_lines import json_writer
from corpora.writing.parquet import parquet_writer
from corpora.writing.targets import OutputTarget, open_target

Write = Callable[[Mapping[str, object]], None]
"""Writes one row."""

_WRITERS: dict[FileFormat, Callable[[OutputTarget], AbstractContextManager[Write]]] = {
    "JSON lines": json_writer,
    "JSON": json_writer,
    "CSV": csv_writer,
    "TSV": csv_writer,
    "Parquet": parquet_writer,
}


@contextmanager
def row_writer(target: str | Path) -> Iterator[Write]:
    """A function that writes one row to a file. An existing file is replaced when the block ends without an error.

    Args:
        target: A path that ends in .jsonl, .json, .ndjson, .csv, .tsv or .parquet, optionally followed by .gz or .zst;
            "-" is standard output, as JSON lines.

    Raises:
        InputError: At once, for another extension; later, for a row that the format cannot represent and for a file
            that cannot be written.

    Example:
        >>> with row_writer("-") as write:
        ...     write({"id": 1, "code": "def f(): pass"})
        {"id": 1, "code": "def f(): pass"}
    """
    try:
        with open_target(target) as opened, _WRITERS[opened.format](opened) as write:
            yield write
    except OSError as error:
        if str(target) == "-" or isinstance(error, BrokenPipeError):
            raise
        raise InputError(f"cannot be written: {error.strerror or one_line(error)}", where=str(target)) from error


def write_rows(rows: Iterable[Mapping[str, object]], target: str | Path) -> int:
    """Write every row to a file, as `row_writer` does. Returns the number of rows."""
    count = 0
    with row_writer(target) as write:
        for count, row in enumerate(rows, 1):  # noqa: B007 - the count is the result
            write(row)
    return count
