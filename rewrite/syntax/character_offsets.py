"""Positions of `ast`, in bytes of a line, as offsets in the characters of a source."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate


def character_offsets(source: str) -> Callable[[int, int], int]:
    """Return a function from a line, from 1, and a column in UTF-8 bytes to the offset of that place in a source.

    Example:
        >>> character_offsets("x = 'ä'\\ny = 2")(1, 8), character_offsets("x = 'ä'\\ny = 2")(2, 4)
        (7, 12)
    """
    lines = source.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]

    def offset(line: int, column: int) -> int:
        before = lines[line - 1].encode("utf-8", "surrogatepass")[:column]
        return starts[line - 1] + len(before.decode("utf-8", "surrogatepass"))

    return offset
