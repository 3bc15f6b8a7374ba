"""The number of rows of a data set, if it is available without reading the rows: for progress bars."""

from __future__ import annotations

from pathlib import Path

from corpora.errors import InputError
from corpora.reading.optional_packages import require_package

_BLOCK = 1 << 20


def count_rows(name: str) -> int | None:
    """The number of lines of an uncompressed file of JSON lines or rows of a Parquet file; None for other sources."""
    path = Path(name)
    try:
        if path.suffix in (".jsonl", ".ndjson") and path.is_file():
            return _count_lines(path)
        if path.suffix == ".parquet" and path.is_file():
            return int(require_package("pyarrow.parquet").ParquetFile(path).metadata.num_rows)
    except (OSError, ValueError, InputError):
        return None  # reading the rows reports the error
    return None


def _count_lines(path: Path) -> int | None:
    count, end = 0, b"\n"
    with path.open("rb") as file:
        if file.peek(1)[:1] == b"[":
            return None  # a JSON document
        while block := file.read(_BLOCK):
            count, end = count + block.count(b"\n"), block[-1:]
    return count + (end != b"\n")
