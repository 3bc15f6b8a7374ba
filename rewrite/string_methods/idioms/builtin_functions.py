"""Idioms for builtin functions of a string: they work on the list of the characters."""

from __future__ import annotations

from rewrite.string_methods.preconditions import Pattern
from rewrite.string_methods.reference import IDIOMS, PLANNED_IDIOMS, implements


@implements("len", PLANNED_IDIOMS)
def len_listed(text: str, /) -> int:
    """The number of characters in a list."""
    characters = list(text)
    return len(characters)


@implements("sorted", IDIOMS)
def sorted_listed(text: str, /) -> list[str]:
    """The list of the characters, sorted."""
    characters = list(text)
    characters.sort()
    return characters


@implements("min", IDIOMS)
def min_listed(text: Pattern, /) -> str:
    """The smallest character of a list."""
    characters = list(text)
    return min(characters)


@implements("max", IDIOMS)
def max_listed(text: Pattern, /) -> str:
    """The greatest character of a list."""
    characters = list(text)
    return max(characters)
