"""Parts of a string and builtin functions of it: they take the list of the characters."""

from __future__ import annotations

from typing import Any, Literal

from rewrite.string_methods.preconditions import Natural, Negative
from rewrite.string_methods.reference import ELEMENTS, implements


@implements("part", ELEMENTS)
def part_to_elements(text: str, lower: None, upper: Natural, /) -> str:
    """The characters before a place."""
    characters = list(text)
    last = upper
    if last > len(characters):
        last = len(characters)
    part = ""
    for place in range(last):
        part += characters[place]
    return part


@implements("part", ELEMENTS)
def part_from_elements(text: str, lower: Natural, upper: None, /) -> str:
    """The characters from a place on."""
    characters = list(text)
    part = ""
    for place in range(lower, len(characters)):
        part += characters[place]
    return part


@implements("part", ELEMENTS)
def part_between_elements(text: str, lower: Natural, upper: Natural, /) -> str:
    """The characters between two places."""
    characters = list(text)
    last = upper
    if last > len(characters):
        last = len(characters)
    part = ""
    for place in range(lower, last):
        part += characters[place]
    return part


@implements("part", ELEMENTS)
def part_before_end_elements(text: str, lower: None, upper: Negative, /) -> str:
    """The characters before a place that is counted from the end."""
    characters = list(text)
    part = ""
    for place in range(len(characters) + upper):
        part += characters[place]
    return part


@implements("part", ELEMENTS)
def part_at_end_elements(text: str, lower: Negative, upper: None, /) -> str:
    """The characters from a place on that is counted from the end."""
    characters = list(text)
    first = len(characters) + lower
    if first < 0:
        first = 0
    part = ""
    for place in range(first, len(characters)):
        part += characters[place]
    return part


@implements("part", ELEMENTS)
def part_elements(text: str, lower: Any, upper: Any, /) -> str:
    """The characters at the places of a slice, one after the other."""
    characters = list(text)
    first, last, _ = slice(lower, upper).indices(len(characters))
    part = ""
    for place in range(first, last):
        part += characters[place]
    return part


@implements("slice", ELEMENTS)
def reverse_elements(text: str, lower: None, upper: None, step: Literal[-1], /) -> str:
    """The list reversed, then joined."""
    characters = list(text)
    characters.reverse()
    return "".join(characters)


@implements("slice", ELEMENTS)
def stepped_slice_elements(text: str, lower: Any, upper: Any, step: Any, /) -> str:
    """The characters at the places of a slice, one after the other."""
    characters = list(text)
    first, last, width = slice(lower, upper, step).indices(len(characters))
    result = ""
    for place in range(first, last, width):
        result += characters[place]
    return result


@implements("len", ELEMENTS)
def len_elements(text: str, /) -> int:
    """The number of characters in the list."""
    characters = list(text)
    return len(characters)
