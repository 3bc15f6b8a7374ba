"""Output that is data, such as programs and traces. Unlike `runner.terminal.console`, it needs no library."""

from __future__ import annotations

import sys

from corpora.foreign_text import printable


def write_data(text: str, encoding: str = "utf-8") -> None:
    """Writes text that is data, such as a program, to standard output: exactly, but escaped on a terminal.

    Lone surrogates, which no encoding has, are escaped in both.

    Args:
        text: the data.
        encoding: that of a program with a coding cookie, which a file or pipe gets in this encoding.
    """
    if not sys.stdout.isatty() and not encoding.startswith("utf-8"):
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode(encoding, "backslashreplace"))
        return
    shown = printable(text) if sys.stdout.isatty() else text.encode("utf-8", "backslashreplace").decode()
    sys.stdout.write(shown)
