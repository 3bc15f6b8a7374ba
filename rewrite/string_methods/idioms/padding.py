"""Idioms for ljust, rjust and center: the padding is a string of its own, which a state shows."""

from __future__ import annotations

from rewrite.string_methods.preconditions import Fill, Width
from rewrite.string_methods.reference import IDIOMS, implements


@implements("ljust", IDIOMS)
def ljust_by_padding(text: str, width: Width, fill: Fill = " ", /) -> str:
    """The string and its padding."""
    padding = fill * (width - len(text))
    return text + padding


@implements("rjust", IDIOMS)
def rjust_by_padding(text: str, width: Width, fill: Fill = " ", /) -> str:
    """The padding and the string."""
    padding = fill * (width - len(text))
    return padding + text


@implements("center", IDIOMS)
def center_by_padding(text: str, width: Width, fill: Fill = " ", /) -> str:
    """The string between its paddings; an odd character goes where `str.center` puts it."""
    gap = width - len(text)
    left = (gap + width % 2) // 2
    return fill * left + text + fill * (gap - left)
