"""Slices of a text with a step, character by character."""

from __future__ import annotations

from typing import Any, Literal

from rewrite.string_methods.preconditions import Natural, Positive
from rewrite.string_methods.reference import spells


@spells("slice")
def reverse(text: str, lower: None, upper: None, step: Literal[-1], /) -> str:
    """The text backwards."""
    result = ""
    for character in text:
        result = character + result
    return result


@spells("slice")
def slice_from(text: str, lower: Natural, upper: None, step: Positive, /) -> str:
    """Every so many characters from a place on."""
    result = ""
    for place in range(lower, len(text), step):
        result += text[place]
    return result


@spells("slice")
def stepped_slice(text: str, lower: Any, upper: Any, step: Any, /) -> str:
    """The characters at the places of a slice."""
    result = ""
    for place in range(*slice(lower, upper, step).indices(len(text))):
        result += text[place]
    return result
