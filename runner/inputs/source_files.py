"""Reads Python source files with encoding and line ends, and replaces them atomically. Does not parse them."""

from __future__ import annotations

import io
import os
import sys
import tokenize
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkstemp

from corpora.errors import InputError


@dataclass(frozen=True)
class SourceFile:
    """The content of a source file.

    Attributes:
        text: the source code, with its line ends and without a byte order mark.
        encoding: as declared by PEP 263; `utf-8-sig` for a file with a byte order mark, which writes the mark again.
    """

    text: str
    encoding: str = "utf-8"


def read_source(name: str) -> SourceFile:
    """Reads a source file, or standard input for "-". Raises InputError if it cannot be read or decoded."""
    try:
        if name == "-":
            return SourceFile(sys.stdin.read())
        content = Path(name).read_bytes()
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        return SourceFile(content.decode(encoding), encoding)
    except (OSError, UnicodeDecodeError, SyntaxError) as error:  # SyntaxError: unknown encoding
        reason = getattr(error, "strerror", None) or getattr(error, "msg", None) or str(error)
        raise InputError(reason, where="standard input" if name == "-" else name) from None


def replace_source(name: str, source: SourceFile) -> None:
    """Replaces a file atomically: writes a temporary file in the same folder, and renames it.

    Keeps the mode, and follows symbolic links. Raises InputError if the file cannot be written.
    """
    path = Path(name).resolve()
    temporary = ""
    try:
        content = source.text.encode(source.encoding)
        descriptor, temporary = mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        Path(temporary).chmod(path.stat().st_mode)
        Path(temporary).replace(path)
    except OSError as error:
        with suppress(OSError):
            Path(temporary).unlink(missing_ok=True)
        raise InputError(error.strerror or str(error), where=name) from None
