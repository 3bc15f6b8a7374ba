"""Rows from Parquet, some hundred at a time (needs the extra `datasets`).

A column that `corpora.writing.parquet` marks as JSON is read as the values that it holds.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping

from corpora.errors import InputError
from corpora.reading.packages import needed
from corpora.reading.streams import Stream
from corpora.rows import BadRow, Row, Rows, one_line

ROWS_AT_ONCE = 256
AS_JSON = {b"spellout": b"json"}
"""What the field of a column says in its metadata that holds JSON."""


def parquet_rows(stream: Stream) -> Rows:
    """The rows in order; a packed file or standard input, in which nothing can be sought, is held whole."""
    parquet = needed("pyarrow.parquet")
    arrow_error: type[Exception] = needed("pyarrow").ArrowException
    number = 0
    try:
        whole = stream.file if _file(stream) else io.BytesIO(stream.file.read())
        with parquet.ParquetFile(whole) as file:
            encoded = [field.name for field in file.schema_arrow if (field.metadata or {}).items() >= AS_JSON.items()]
            for batch in file.iter_batches(batch_size=ROWS_AT_ONCE):
                for fields in batch.to_pylist():
                    number += 1
                    yield Row(number, f"{stream.name}:{number}", _decoded(fields, encoded))
    except (arrow_error, OSError, UnicodeDecodeError) as error:
        if number == 0:
            raise InputError(f"cannot be read as Parquet: {one_line(error)}", where=stream.name) from error
        yield BadRow(number + 1, f"{stream.name}:{number + 1}", f"the rest cannot be read: {one_line(error)}")


def _decoded(fields: Mapping[str, object], encoded: list[str]) -> Mapping[str, object]:
    return {
        name: json.loads(value) if name in encoded and isinstance(value, str) else value
        for name, value in fields.items()
    }


def _file(stream: Stream) -> bool:
    return isinstance(stream.file.raw, io.FileIO) and bool(stream.file.seekable())
