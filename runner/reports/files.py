"""Writes a report to a file, which appears as a whole or not at all."""

from __future__ import annotations

from pathlib import Path

from corpora.errors import InputError


def write_file(path: Path, content: str | bytes) -> None:
    """Writes a text in UTF-8, or bytes, under a temporary name and renames the file.

    Raises:
        InputError: the file cannot be written.
    """
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(content.encode() if isinstance(content, str) else content)
        part.replace(path)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=str(path)) from error
