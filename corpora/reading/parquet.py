"""Rows from Parquet, in batches (extra `datasets`).

A column that `corpora.writing.parquet` marks as JSON is decoded.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping

from corpora.errors import InputError
from corpora.reading.optional_packages import require_package
from corpora.reading.streams import RowStream
from corpora.rows import BadRow, Row, Rows, one_line

BATCH_ROWS = 256
JSON_METADATA = {b"spellout": b"json"}
"""Schema metadata of a column that contains JSON."""


def parquet_rows(stream: RowStream) -> Rows:
    """The rows in order. A compressed file or standard input is not seekable and is held in memory as a whole."""
    parquet = require_package("pyarrow.parquet")
    arrow_error: type[Exception] = require_package("pyarrow").ArrowException
    number = 0
    try:
        is_file = isinstance(stream.file.raw, io.FileIO) and stream.file.seekable()
        whole = stream.file if is_file else io.BytesIO(stream.file.read())
        with parquet.ParquetFile(whole) as file:
            encoded = [
                field.name for field in file.schema_arrow if (field.metadata or {}).items() >= JSON_METADATA.items()
            ]
            for batch in file.iter_batches(batch_size=BATCH_ROWS):
                for fields in batch.to_pylist():
                    number += 1
                    yield _row(number, f"{stream.name}:{number}", fields, encoded)
    except (arrow_error, OSError, ValueError, OverflowError) as error:
        if number == 0:
            raise InputError(f"cannot be read as Parquet: {one_line(error)}", where=stream.name) from error
        yield BadRow(number + 1, f"{stream.name}:{number + 1}", f"the rest cannot be read: {one_line(error)}")


def _row(number: int, where: str, fields: Mapping[str, object], encoded: list[str]) -> Row | BadRow:
    try:
        return Row(number, where, _decoded(fields, encoded))
    except (ValueError, RecursionError) as error:
        return BadRow(number, where, f"a column that is marked as JSON is not: {one_line(error)}")


def _decoded(fields: Mapping[str, object], encoded: list[str]) -> Mapping[str, object]:
    return {
        name: json.loads(value) if name in encoded and isinstance(value, str) else value
        for name, value in fields.items()
    }
