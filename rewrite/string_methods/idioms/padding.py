"""Idioms for ljust, rjust, center and expandtabs: a state shows the padding, its width, or the pieces between tabs."""

from __future__ import annotations

from rewrite.string_methods.preconditions import Fill, Line, Positive, Width
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


@implements("expandtabs", IDIOMS)
def expand_between_pieces(text: Line, tabsize: Positive = 8) -> str:
    """The pieces between the tabs, each after the spaces that fill the column before it."""
    pieces = text.split("\t")
    expanded = pieces[0]
    for piece in pieces[1:]:
        expanded += " " * (tabsize - len(expanded) % tabsize) + piece
    return expanded
