"""Python source files as they are: their text, encoding and line ends; replaced whole or not at all.

Does not parse anything; that a program is one is checked by who reads it.
"""

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
class Source:
    """The text of a file, with its line ends and without a byte order mark, and its encoding by PEP 263.

    The encoding of a file that begins with the mark is `utf-8-sig`, which writes it again.
    """

    text: str
    encoding: str = "utf-8"


def read_source(name: str) -> Source:
    """A source file, or standard input for "-". Raises InputError with the reason."""
    try:
        if name == "-":
            return Source(sys.stdin.read())
        content = Path(name).read_bytes()
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        return Source(content.decode(encoding), encoding)
    except (OSError, UnicodeDecodeError, SyntaxError) as error:  # SyntaxError: of an encoding that there is not
        reason = getattr(error, "strerror", None) or getattr(error, "msg", None) or str(error)
        raise InputError(reason, where="standard input" if name == "-" else name) from None


def replace_source(name: str, source: Source) -> None:
    """Write the whole file or nothing: to a new file beside it, which then takes its place and mode.

    A link stays, and the file it leads to is replaced. Raises InputError with the reason.
    """
    path = Path(name).resolve()
    made = ""
    try:
        content = source.text.encode(source.encoding)
        descriptor, made = mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        Path(made).chmod(path.stat().st_mode)
        Path(made).replace(path)
    except OSError as error:
        with suppress(OSError):
            Path(made).unlink(missing_ok=True)
        raise InputError(error.strerror or str(error), where=name) from None
