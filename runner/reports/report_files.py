"""Writes a report to a file, which appears as a whole or not at all."""

from __future__ import annotations

from pathlib import Path

from corpora.errors import InputError
from corpora.writing.targets import replacing_file


def write_file(path: Path, content: str | bytes, *, parents: bool = False) -> None:
    """Writes a text in UTF-8, or bytes.

    Args:
        path: the file.
        content: of the file.
        parents: whether its folder is created if needed.

    Raises:
        InputError: the file cannot be written.
    """
    try:
        if parents:
            path.parent.mkdir(parents=True, exist_ok=True)
        with replacing_file(path) as file:
            file.write(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=str(path)) from error
