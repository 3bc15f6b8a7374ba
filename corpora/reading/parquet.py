"""Rows from Parquet, some hundred at a time (needs the extra `datasets`)."""

from __future__ import annotations

import io

from corpora.errors import InputError
from corpora.reading.packages import needed
from corpora.reading.streams import Stream
from corpora.rows import BadRow, Row, Rows, one_line

ROWS_AT_ONCE = 256


def parquet_rows(stream: Stream) -> Rows:
    """The rows in order; a packed file or standard input, in which nothing can be sought, is held whole."""
    parquet = needed("pyarrow.parquet")
    arrow_error: type[Exception] = needed("pyarrow").ArrowException
    number = 0
    try:
        whole = stream.file if _file(stream) else io.BytesIO(stream.file.read())
        with parquet.ParquetFile(whole) as file:
            for batch in file.iter_batches(batch_size=ROWS_AT_ONCE):
                for fields in batch.to_pylist():
                    number += 1
                    yield Row(number, f"{stream.name}:{number}", fields)
    except (arrow_error, OSError, UnicodeDecodeError) as error:
        if number == 0:
            raise InputError(f"cannot be read as Parquet: {one_line(error)}", where=stream.name) from error
        yield BadRow(number + 1, f"{stream.name}:{number + 1}", f"the rest cannot be read: {one_line(error)}")


def _file(stream: Stream) -> bool:
    return isinstance(stream.file.raw, io.FileIO) and bool(stream.file.seekable())
