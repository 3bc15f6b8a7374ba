"""Padding: the missing length is a number of its own, and the padding grows by one character in each round."""

from __future__ import annotations

from rewrite.string_methods.preconditions import Fill, Width
from rewrite.string_methods.reference import ELEMENTS, implements


@implements("ljust", ELEMENTS)
def ljust_elements(text: str, width: Width, fill: Fill = " ", /) -> str:
    """The string and its padding."""
    characters = list(text)
    padding = ""
    for _ in range(width - len(characters)):
        padding += fill
    return text + padding


@implements("rjust", ELEMENTS)
def rjust_elements(text: str, width: Width, fill: Fill = " ", /) -> str:
    """The padding and the string."""
    characters = list(text)
    padding = ""
    for _ in range(width - len(characters)):
        padding += fill
    return padding + text


@implements("center", ELEMENTS)
def center_elements(text: str, width: Width, fill: Fill = " ", /) -> str:
    """The string between its paddings; an odd character goes where `str.center` puts it."""
    characters = list(text)
    gap = width - len(characters)
    left = ""
    right = ""
    for place in range(gap):
        if place < gap // 2 + (gap & width & 1):
            left += fill
        else:
            right += fill
    return left + text + right


@implements("zfill", ELEMENTS)
def zfill_elements(text: str, width: Width, /) -> str:
    """The string padded with zeros on the left, after its sign."""
    characters = list(text)
    if width <= len(characters):
        return text
    padding = ""
    for _ in range(width - len(characters)):
        padding += "0"
    if characters[:1] == ["+"] or characters[:1] == ["-"]:
        return characters[0] + padding + "".join(characters[1:])
    return padding + text
