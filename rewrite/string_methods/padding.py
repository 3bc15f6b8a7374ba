"""References for ljust, rjust, center and zfill: they add one padding character at a time, for widths below 10,000."""

from __future__ import annotations

from rewrite.string_methods.preconditions import Fill, Width
from rewrite.string_methods.reference import implements


@implements("ljust")
def ljust(text: str, width: Width, fill: Fill = " ", /) -> str:
    """The string padded on the right to a width."""
    padding = ""
    for _ in range(width - len(text)):
        padding += fill
    return text + padding


@implements("rjust")
def rjust(text: str, width: Width, fill: Fill = " ", /) -> str:
    """The string padded on the left to a width."""
    padding = ""
    for _ in range(width - len(text)):
        padding += fill
    return padding + text


@implements("center")
def center(text: str, width: Width, fill: Fill = " ", /) -> str:
    """The string padded on both sides to a width; an odd padding character goes where `str.center` puts it."""
    gap = width - len(text)
    left = ""
    right = ""
    for place in range(gap):
        if place < gap // 2 + (gap & width & 1):
            left += fill
        else:
            right += fill
    return left + text + right


@implements("zfill")
def zfill(text: str, width: Width, /) -> str:
    """The string padded with zeros on the left, after its sign."""
    if width <= len(text):
        return text
    padding = ""
    for _ in range(width - len(text)):
        padding += "0"
    sign = text[:1]
    if sign == "+" or sign == "-":
        return sign + padding + text[1:]
    return padding + text
