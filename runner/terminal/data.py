"""Output that is data, such as programs and traces. Unlike `runner.terminal.console`, it needs no library."""

from __future__ import annotations

import sys

from corpora.foreign_text import printable


def write_data(text: str) -> None:
    """Writes text that is data, such as a program, to standard output: exactly, but escaped on a terminal.

    Lone surrogates, which no encoding has, are escaped in both.
    """
    shown = printable(text) if sys.stdout.isatty() else text.encode("utf-8", "backslashreplace").decode()
    sys.stdout.write(shown)
