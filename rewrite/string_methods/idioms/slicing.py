"""Idioms for slices: the list of the characters is reversed or cut, then joined."""

from __future__ import annotations

from typing import Any, Literal

from rewrite.string_methods.reference import IDIOMS, implements


@implements("slice", IDIOMS)
def reverse_listed(text: str, lower: None, upper: None, step: Literal[-1], /) -> str:
    """The list of the characters reversed, then joined."""
    characters = list(text)
    characters.reverse()
    return "".join(characters)


@implements("slice", IDIOMS)
def stepped_slice_listed(text: str, lower: Any, upper: Any, step: Any, /) -> str:
    """A slice with a step of the list of the characters, joined."""
    characters = list(text)
    return "".join(characters[lower:upper:step])


@implements("part", IDIOMS)
def part_listed(text: str, lower: Any, upper: Any, /) -> str:
    """A part of the list of the characters, joined."""
    characters = list(text)
    return "".join(characters[lower:upper])
