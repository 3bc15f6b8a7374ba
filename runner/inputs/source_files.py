"""Reads Python source files with encoding and line ends, and replaces them atomically. Does not parse them."""

from __future__ import annotations

import io
import sys
import tokenize
from dataclasses import dataclass
from pathlib import Path

from corpora.errors import InputError, unreadable_reason
from corpora.writing.targets import replacing_file


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
        reason = error.msg if isinstance(error, SyntaxError) else unreadable_reason(error)
        raise InputError(reason, where="standard input" if name == "-" else name) from None


def replace_source(name: str, source: SourceFile) -> None:
    """Replaces a file atomically. Keeps the mode, and follows symbolic links.

    Raises InputError if the file cannot be written.
    """
    try:
        with replacing_file(Path(name).resolve()) as file:
            file.write(source.text.encode(source.encoding))
    except OSError as error:
        raise InputError(error.strerror or str(error), where=name) from None
