"""Byte streams to read rows from: a file or standard input, decompressed if it is gzip or Zstandard, with its format.

The format is taken from the name, or detected from the first bytes if the name says nothing. If the content contradicts
the name, an InputError is raised, because misread rows would be worse than none.
"""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from backports import zstd

from corpora.errors import InputError
from corpora.rows import one_line

FileFormat = Literal["JSON lines", "JSON", "CSV", "TSV", "Parquet"]

STANDARD_INPUT = "-"
FORMATS: dict[str, FileFormat] = {
    ".jsonl": "JSON lines",
    ".json": "JSON",
    ".ndjson": "JSON lines",
    ".csv": "CSV",
    ".tsv": "TSV",
    ".parquet": "Parquet",
}
COMPRESSIONS = {".gz": "gzip", ".zst": "Zstandard"}
_UNSUPPORTED = {".bz2": "bzip2", ".xz": "xz", ".zip": "zip"}
_SUFFIX_OF = {"Parquet": ".parquet", **{kind: suffix for suffix, kind in (COMPRESSIONS | _UNSUPPORTED).items()}}
DECOMPRESSION_ERRORS = (OSError, EOFError, zlib.error, zstd.ZstdError)
"""The errors that reading can raise in the middle of a stream."""
_MAGIC = (
    (b"PAR1", "Parquet"),
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "Zstandard"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"PK\x03\x04", "zip"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


@dataclass(frozen=True)
class RowStream:
    """Decompressed bytes.

    Attributes:
        file: A buffered reader.
        format: The format of the rows.
        name: For messages.
    """

    file: Any  # gzip and Zstandard readers have no common type
    format: FileFormat
    name: str


@contextmanager
def open_stream(source: str | Path) -> Iterator[RowStream]:
    """The stream of a path, or of standard input for "-". Raises InputError if it cannot be read."""
    name = "standard input" if str(source) == STANDARD_INPUT else str(source)
    with ExitStack() as stack:
        try:
            yield _stream(source, name, stack)
        except DECOMPRESSION_ERRORS as error:
            reason = f"cannot be read: {getattr(error, 'strerror', None) or one_line(error)}"
            raise InputError(reason, where=name) from error


def _stream(source: str | Path, name: str, stack: ExitStack) -> RowStream:
    suffixes = [] if str(source) == STANDARD_INPUT else [suffix.lower() for suffix in Path(source).suffixes]
    if suffixes and suffixes[-1] in _UNSUPPORTED:
        raise InputError(f"{suffixes[-1]} is not supported: decompress it first, or use .gz or .zst", where=name)
    file = _raw(source, name, stack)
    compression = COMPRESSIONS.get(suffixes[-1]) if suffixes else None
    if compression:
        suffixes = suffixes[:-1]
    found = _detect_content(file.peek(16))
    if compression and found != compression and file.peek(1):
        raise InputError(f"is not {compression}: its content differs from its name", where=name)
    if compression or (found in COMPRESSIONS.values() and not suffixes):
        open_compressed: Any = zstd.open if found == "Zstandard" else gzip.open
        file = stack.enter_context(io.BufferedReader(stack.enter_context(open_compressed(file))))
        found = _detect_content(file.peek(16))
    named = FORMATS.get(suffixes[-1]) if suffixes else None
    return RowStream(file, _choose_format(named, found, file.peek(4096), name), name)


def _raw(source: str | Path, name: str, stack: ExitStack) -> Any:
    if str(source) != STANDARD_INPUT:
        return stack.enter_context(Path(source).open("rb"))
    if sys.stdin is None:
        raise InputError("is closed", where=name)
    buffer: Any = getattr(sys.stdin, "buffer", None)
    if hasattr(buffer, "peek"):
        return buffer
    # Standard input was replaced: a StringIO has no buffer, and a BytesIO has no `peek`.
    return io.BufferedReader(io.BytesIO(buffer.read() if buffer else sys.stdin.read().encode()))


def _detect_content(head: bytes) -> str | None:
    return next((kind for magic, kind in _MAGIC if head.startswith(magic)), None)


def _choose_format(named: FileFormat | None, found: str | None, head: bytes, name: str) -> FileFormat:
    """The format that the name says, unless the content contradicts it; without one, the format of the content."""
    if found == "Parquet" and named in (None, "Parquet"):
        return "Parquet"
    if found is not None:
        hint = f": use the extension {_SUFFIX_OF[found]}" if found in _SUFFIX_OF else ": use UTF-8"
        raise InputError(f"contains {found}{hint}", where=name)
    if named == "Parquet":
        raise InputError("cannot be read as Parquet: its first bytes differ", where=name)
    format_ = named or ("CSV" if _looks_like_csv(head) else "JSON")
    if b"\x00" in _beginning(head, format_):
        raise InputError(f"is binary, not {named or 'text'}", where=name)
    return format_


def _beginning(head: bytes, format_: FileFormat) -> bytes:
    """What must not contain a null byte: the header of CSV; of JSON the first line, unless it begins a JSON value.

    A null byte elsewhere belongs to a row that was not written completely.
    """
    line = head.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")[0]
    return b"" if format_ in ("JSON", "JSON lines") and line.startswith((b"{", b"[")) else line


def _looks_like_csv(head: bytes) -> bool:
    """Whether the first line has a comma and does not begin a JSON value."""
    line = head.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")[0]
    return b"," in line and not line.startswith((b"{", b"["))
