"""The file that rows are written to: format and compression by its name, and atomic replacement.

Rows are written to a temporary file in the folder of the target, which is renamed at the end. A target that is not a
regular file (a pipe, `/dev/stdout`) is written to directly.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backports import zstd

from corpora.atomic_files import remove_unfinished, replacing_path
from corpora.errors import InputError
from corpora.reading.streams import COMPRESSIONS, FORMATS, STANDARD_INPUT, FileFormat
from corpora.writing.locks import locked_target

STANDARD_OUTPUT = STANDARD_INPUT
_KNOWN = f"{', '.join(FORMATS)}, optionally followed by {' or '.join(COMPRESSIONS)}"


@dataclass(frozen=True)
class OutputTarget:
    """An open target.

    Attributes:
        file: Accepts bytes, and compresses them if the name says so.
        format: The format of the rows.
        name: For error messages.
        folder: Where to create temporary files; None: the folder of the system.
    """

    file: Any  # gzip and Zstandard writers have no common type
    format: FileFormat
    name: str
    folder: Path | None = None


def _output_format(target: str | Path) -> tuple[FileFormat, str | None]:
    """Format and compression of a target by its name. Raises InputError for an unknown extension."""
    path = Path(target)
    suffixes = [suffix.lower() for suffix in path.suffixes]
    compression = COMPRESSIONS.get(suffixes[-1]) if suffixes else None
    last = suffixes[:-1] if compression else suffixes
    format_ = FORMATS.get(last[-1]) if last else None
    if format_ is None and (last or not _is_special(path)):
        raise InputError(f"its extension is not supported: use {_KNOWN}", where=str(target))
    return format_ or "JSON lines", compression


@contextmanager
def open_target(target: str | Path) -> Iterator[OutputTarget]:
    """Open the target for writing. An error in the block leaves an existing file unchanged.

    Raises:
        InputError: The extension is unknown, the target is a folder, or another process writes it.
    """
    if str(target) == STANDARD_OUTPUT:
        yield OutputTarget(_StandardOutput(), "JSON lines", "standard output")
        return
    path = Path(target)
    format_, compression = _output_format(target)
    resolved = None if _is_special(path) else path.resolve()  # a symbolic link stays, and its target is replaced
    with (
        _exclusively(resolved) if resolved else nullcontext(),
        replacing_file(resolved) if resolved else path.open("wb") as raw,
        _compress(raw, compression) as file,
    ):
        yield OutputTarget(file, format_, str(target), resolved and resolved.parent)


@contextmanager
def _exclusively(path: Path) -> Iterator[None]:
    """Keeps other processes from writing a file, of which nothing unfinished is left."""
    with locked_target(path):
        remove_unfinished(path)
        yield


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file() and not path.is_dir()


@contextmanager
def replacing_file(path: Path) -> Iterator[Any]:
    """A new binary file in the folder of `path` that replaces it, with its mode, unless an error is raised."""
    if path.is_dir():
        raise InputError("is a directory", where=str(path))
    with replacing_path(path) as unfinished, unfinished.open("xb") as file:
        if path.exists():
            unfinished.chmod(path.stat().st_mode)
        yield file


def _compress(file: Any, compression: str | None) -> AbstractContextManager[Any]:
    if compression is None:
        return nullcontext(file)
    # Without name and time in the header, equal rows give equal bytes.
    return gzip.GzipFile("", "wb", fileobj=file, mtime=0) if compression == "gzip" else zstd.ZstdFile(file, "w")


class _StandardOutput:
    """Standard output as a file of bytes. What replaces it (a notebook, a test) may accept only strings."""

    def write(self, content: bytes) -> int:
        return sys.stdout.write(content.decode("utf-8"))
