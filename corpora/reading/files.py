"""Rows of a file or of standard input, in any supported format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from corpora.errors import InputError
from corpora.reading.csv_rows import csv_rows
from corpora.reading.json_lines import json_rows
from corpora.reading.parquet import parquet_rows
from corpora.reading.streams import FileFormat, RowStream, open_stream
from corpora.rows import Rows

_READERS: dict[FileFormat, Callable[[RowStream], Rows]] = {
    "JSON lines": json_rows,
    "JSON": json_rows,
    "CSV": csv_rows,
    "TSV": csv_rows,
    "Parquet": parquet_rows,
}


def file_rows(source: str | Path) -> Rows:
    """The rows of a path, or of standard input for "-". Raises InputError if it cannot be read."""
    if Path(source).is_dir():
        raise InputError("is a directory", where=str(source))
    with open_stream(source) as stream:
        yield from _READERS[stream.format](stream)
