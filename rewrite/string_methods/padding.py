"""ljust, rjust, center and zfill: the padding grows one character at a time, below 10,000."""

from __future__ import annotations

from rewrite.string_methods.preconditions import Fill, Width
from rewrite.string_methods.reference import spells


@spells("ljust")
def ljust(text: str, width: Width, fill: Fill = " ", /) -> str:
    """The text, and so many characters behind it that it is as wide."""
    padding = ""
    for _ in range(width - len(text)):
        padding += fill
    return text + padding


@spells("rjust")
def rjust(text: str, width: Width, fill: Fill = " ", /) -> str:
    """The text, and so many characters before it that it is as wide."""
    padding = ""
    for _ in range(width - len(text)):
        padding += fill
    return padding + text


@spells("center")
def center(text: str, width: Width, fill: Fill = " ", /) -> str:
    """The text between so many characters that it is as wide; an odd one stands where the method has it."""
    gap = width - len(text)
    left = ""
    right = ""
    for place in range(gap):
        if place < gap // 2 + (gap & width & 1):
            left += fill
        else:
            right += fill
    return left + text + right


@spells("zfill")
def zfill(text: str, width: Width, /) -> str:
    """The text with zeros before it, but behind its sign."""
    if width <= len(text):
        return text
    padding = ""
    for _ in range(width - len(text)):
        padding += "0"
    sign = text[:1]
    if sign == "+" or sign == "-":
        return sign + padding + text[1:]
    return padding + text
