"""Renders token boundaries as plain text: the string with its boundaries, and markers below the bytes in question.

Colours are added by `runner` and `analyze.auditing.html_report`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

BOUNDARY = "│"
INSIDE = "╎"
"""A boundary within the bytes of a character, drawn after that character."""


def token_strip(written: str, boundaries: Iterable[int], start: int, end: int) -> tuple[str, str]:
    """Returns two lines: the string with its token boundaries, and a mark under each character of bytes [start, end).

    >>> print(*token_strip("a-.b", [1, 3, 4], 1, 2), sep="\\n")
    a│-.│b
      ^
    """
    cuts = set(boundaries)
    above, below = [], []
    position = 0
    for char in written:
        size = len(char.encode())
        if position and position in cuts:
            above.append(BOUNDARY)
            below.append(" ")
        above.append(char if char.isprintable() else "·")
        below.append("^" if start < position + size and position < end else " ")
        if any(position < cut < position + size for cut in cuts):
            above.append(INSIDE)
            below.append(" ")
        position += size
    return "".join(above), "".join(below).rstrip()


def excerpt(written: str, boundaries: Sequence[int], start: int, end: int, room: int = 60) -> tuple[str, str]:
    """Returns `token_strip` of the neighbourhood of [start, end), with an ellipsis on each side that is cut off."""
    above, below = token_strip(written, boundaries, start, end)
    below = below.ljust(len(above))
    middle = below.find("^") if "^" in below else 0
    low = max(0, min(middle - room // 3, len(above) - room))
    high = min(len(above), low + room)
    left, right = "…" if low else "", "…" if high < len(above) else ""
    return left + above[low:high] + right, (" " * len(left) + below[low:high]).rstrip()
