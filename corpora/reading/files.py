"""Rows of a file or of standard input, in whichever form it has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from corpora.errors import InputError
from corpora.reading.csv_rows import csv_rows
from corpora.reading.json_lines import json_rows
from corpora.reading.parquet import parquet_rows
from corpora.reading.streams import Form, Stream, opened
from corpora.rows import Rows

_READERS: dict[Form, Callable[[Stream], Rows]] = {
    "JSON lines": json_rows,
    "CSV": csv_rows,
    "TSV": csv_rows,
    "Parquet": parquet_rows,
}


def file_rows(source: str | Path) -> Rows:
    """The rows; standard input for "-". Raises InputError where it cannot be read."""
    if Path(source).is_dir():
        raise InputError("is a directory", where=str(source))
    with opened(source) as stream:
        yield from _READERS[stream.form](stream)
