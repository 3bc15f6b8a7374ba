"""Slices of a text with a step, character by character."""

from __future__ import annotations

from typing import Any, Literal

from rewrite.string_methods.preconditions import Natural, Negative, Positive
from rewrite.string_methods.reference import spells


@spells("slice")
def reverse(text: str, lower: None, upper: None, step: Literal[-1], /) -> str:
    """The text backwards."""
    result = ""
    for character in text:
        result = character + result
    return result


@spells("slice")
def reverse_from(text: str, lower: Natural, upper: None, step: Literal[-1], /) -> str:
    """The text up to a place backwards."""
    part = text[: lower + 1]
    result = ""
    for character in part:
        result = character + result
    return result


@spells("slice")
def reverse_to(text: str, lower: None, upper: Natural, step: Literal[-1], /) -> str:
    """The text behind a place backwards."""
    part = text[upper + 1 :]
    result = ""
    for character in part:
        result = character + result
    return result


@spells("slice")
def reverse_between(text: str, lower: Natural, upper: Natural, step: Literal[-1], /) -> str:
    """The text behind a place and up to another backwards."""
    part = text[upper + 1 : lower + 1]
    result = ""
    for character in part:
        result = character + result
    return result


@spells("slice")
def slice_all(text: str, lower: None, upper: None, step: Positive, /) -> str:
    """Every so many characters."""
    result = ""
    for place in range(0, len(text), step):
        result += text[place]
    return result


@spells("slice")
def slice_from(text: str, lower: Natural, upper: None, step: Positive, /) -> str:
    """Every so many characters from a place on."""
    result = ""
    for place in range(lower, len(text), step):
        result += text[place]
    return result


@spells("slice")
def slice_part(text: str, lower: Any, upper: Any, step: Positive, /) -> str:
    """Every so many characters of a part."""
    part = text[lower:upper]
    result = ""
    for place in range(0, len(part), step):
        result += part[place]
    return result


@spells("slice")
def slice_back(text: str, lower: None, upper: None, step: Negative, /) -> str:
    """Every so many characters from the last one on, backwards."""
    result = ""
    for place in range(len(text) - 1, -1, step):
        result += text[place]
    return result


@spells("slice")
def stepped_slice(text: str, lower: Any, upper: Any, step: Any, /) -> str:
    """The characters at the places of a slice."""
    result = ""
    for place in range(*slice(lower, upper, step).indices(len(text))):
        result += text[place]
    return result
