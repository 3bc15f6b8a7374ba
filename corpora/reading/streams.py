"""Bytes to read rows from: a file or standard input, unpacked where it is gzip or Zstandard, and what form they have.

A form is taken from the name, or from the first bytes where there is no name; a name that the content contradicts is
an InputError, for rows of a wrongly read file are worse than none. What it does not do: read rows.
"""

from __future__ import annotations

import gzip
import importlib
import io
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from corpora.errors import InputError
from corpora.rows import one_line

Form = Literal["JSON lines", "CSV", "TSV", "Parquet"]

STANDARD_INPUT = "-"
FORMS: dict[str, Form] = {
    ".jsonl": "JSON lines",
    ".json": "JSON lines",
    ".ndjson": "JSON lines",
    ".csv": "CSV",
    ".tsv": "TSV",
    ".parquet": "Parquet",
}
PACKED = {".gz": "gzip", ".zst": "Zstandard"}
_NOT_READ = {".bz2": "bzip2", ".xz": "xz", ".zip": "zip"}
_SUFFIX_OF = {"Parquet": ".parquet", **{kind: suffix for suffix, kind in (PACKED | _NOT_READ).items()}}
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
class Stream:
    """Unpacked bytes, their form, and the name to say where a row stands."""

    file: Any  # a buffered reader: what gzip and Zstandard give has no type in common
    form: Form
    name: str


@contextmanager
def opened(source: str | Path) -> Iterator[Stream]:
    """The stream of a path, or of standard input for "-". Raises InputError where it cannot be read as what it is."""
    name = "standard input" if str(source) == STANDARD_INPUT else str(source)
    with ExitStack() as stack:
        try:
            yield _stream(source, name, stack)
        except (OSError, EOFError, zlib.error, zstd_error()) as error:
            raise InputError(f"cannot be read: {_reason(error)}", where=name) from error


def unpacking_errors() -> tuple[type[Exception], ...]:
    """What reading further can raise in the middle of a stream."""
    return OSError, EOFError, zlib.error, zstd_error()


def zstd_error() -> type[Exception]:
    """The error of the Zstandard package; one that is never raised where it is not installed."""
    try:
        error: type[Exception] = importlib.import_module("backports.zstd").ZstdError
    except ImportError:
        return _NeverError
    return error


class _NeverError(Exception):
    """In place of an exception that cannot occur."""


def _stream(source: str | Path, name: str, stack: ExitStack) -> Stream:
    suffixes = [] if str(source) == STANDARD_INPUT else [suffix.lower() for suffix in Path(source).suffixes]
    if suffixes and suffixes[-1] in _NOT_READ:
        raise InputError(f"{suffixes[-1]} is not read: unpack it first, or use .gz or .zst", where=name)
    file = _raw(source, name, stack)
    packed = PACKED.get(suffixes[-1]) if suffixes else None
    if packed:
        suffixes = suffixes[:-1]
    found = _content(file.peek(16))
    if packed and found != packed and file.peek(1):
        raise InputError(f"is not {packed} by its content", where=name)
    if packed or (found in PACKED.values() and not suffixes):
        file = stack.enter_context(io.BufferedReader(stack.enter_context(_UNPACK[found or "gzip"](file, name))))
        found = _content(file.peek(16))
    named = FORMS.get(suffixes[-1]) if suffixes else None
    return Stream(file, _form(named, found, file.peek(4096), name), name)


def _raw(source: str | Path, name: str, stack: ExitStack) -> Any:
    if str(source) != STANDARD_INPUT:
        return stack.enter_context(Path(source).open("rb"))
    if sys.stdin is None:
        raise InputError("is closed", where=name)
    buffer: Any = getattr(sys.stdin, "buffer", None)
    if hasattr(buffer, "peek"):
        return buffer
    # Something else in its place: a StringIO has no buffer, and one of bytes cannot be looked into.
    return io.BufferedReader(io.BytesIO(buffer.read() if buffer else sys.stdin.read().encode()))


def _content(head: bytes) -> str | None:
    return next((kind for magic, kind in _MAGIC if head.startswith(magic)), None)


def _form(named: Form | None, found: str | None, head: bytes, name: str) -> Form:
    """The form that the name says, if the content does not contradict it; without a name, the content's."""
    if found == "Parquet" and named in (None, "Parquet"):
        return "Parquet"
    if found is not None:
        hint = f": name it {_SUFFIX_OF[found]}" if found in _SUFFIX_OF else ": UTF-8 is needed"
        raise InputError(f"is {found} by its content{hint}", where=name)
    if named == "Parquet":
        raise InputError("cannot be read as Parquet: its first bytes are others", where=name)
    if b"\x00" in head:
        raise InputError(f"is binary, not {named or 'rows of text'}", where=name)
    return named or ("CSV" if _looks_like_csv(head) else "JSON lines")


def _looks_like_csv(head: bytes) -> bool:
    """A first line with a comma that begins no JSON value."""
    line = head.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")[0]
    return b"," in line and not line.startswith((b"{", b"["))


def _gunzipped(file: Any, name: str) -> Any:
    return gzip.GzipFile(fileobj=file)


def _unzstandard(file: Any, name: str) -> Any:
    try:
        module = importlib.import_module("backports.zstd")
    except ImportError as error:
        raise InputError("needs the package backports.zstd: pip install backports.zstd", where=name) from error
    return module.ZstdFile(file)


_UNPACK: dict[str, Callable[[Any, str], Any]] = {"gzip": _gunzipped, "Zstandard": _unzstandard}


def _reason(error: BaseException) -> str:
    return getattr(error, "strerror", None) or one_line(error)
