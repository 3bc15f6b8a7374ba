"""The printer for foreign text: what programs, rows, models, servers and file names contain.

A terminal interprets control characters. They can move the cursor, hide a verdict, or reverse the order of what is
shown. Every output for people escapes them with these functions. Outputs that are data, such as a rewritten program in
a pipe or JSON, stay exact.
"""

from __future__ import annotations

import re

# Control characters except tab and newline, lone surrogates, bidirectional marks, and characters without a glyph
# (zero width, soft hyphen, tags), which can hide a difference between two texts.
_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\ud800-\udfff\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff"
    r"\U000e0000-\U000e007f]"
)
_LINE_ENDS = re.compile(r"[\n\t\u2028\u2029]")


def printable(text: str) -> str:
    r"""Replaces control characters by Python escapes, so that a terminal does not interpret them.

    Tabs and newlines stay. `one_line` escapes them too.

    >>> print(printable("a\x1b[2J\ud800b"))
    a\x1b[2J\ud800b
    """
    return _CONTROL.sub(lambda found: _escape(ord(found[0])), text)


def one_line(text: str) -> str:
    r"""Like `printable`, with tabs and line ends escaped too.

    >>> one_line("a\nb")
    'a\\nb'
    """
    return _LINE_ENDS.sub(lambda found: repr(found[0])[1:-1], printable(text))


def _escape(code: int) -> str:
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 1 << 16 else f"\\U{code:08x}"
