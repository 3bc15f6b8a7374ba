"""Files that appear whole or not at all: they are written beside their place and renamed."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def replacing_path(path: Path) -> Iterator[Path]:
    """The path of a new file in the folder of `path`, which replaces it unless an error is raised.

    A symbolic link stays, and its target is replaced.
    """
    path = path.resolve()
    unfinished = path.with_name(f".{path.name}.{os.urandom(4).hex()}.tmp")
    try:
        yield unfinished
        unfinished.replace(path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise


def remove_unfinished(path: Path) -> None:
    """Removes what killed processes left of a file. The caller sees to it that no process is writing it."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.{'[0-9a-f]' * 8}.tmp"):
        with suppress(OSError):
            left.unlink()


def write_atomically(path: Path, text: str) -> None:
    """Writes a file in UTF-8, so that no reader sees an incomplete one. Raises OSError."""
    with replacing_path(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")


def is_at_path(descriptor: int, path: Path) -> bool:
    """Whether an open file or folder is still the one at the path: it may have been removed before it was locked."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
