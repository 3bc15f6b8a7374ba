"""References for string slices with a step: they append one character after the other."""

from __future__ import annotations

from typing import Any, Literal

from rewrite.string_methods.preconditions import Natural, Negative, Positive
from rewrite.string_methods.reference import implements


@implements("slice")
def reverse(text: str, lower: None, upper: None, step: Literal[-1], /) -> str:
    """The string reversed."""
    result = ""
    for character in text:
        result = character + result
    return result


@implements("slice")
def reverse_from(text: str, lower: Natural, upper: None, step: Literal[-1], /) -> str:
    """The characters up to an index, reversed."""
    part = text[: lower + 1]
    result = ""
    for character in part:
        result = character + result
    return result


@implements("slice")
def reverse_to(text: str, lower: None, upper: Natural, step: Literal[-1], /) -> str:
    """The characters after an index, reversed."""
    part = text[upper + 1 :]
    result = ""
    for character in part:
        result = character + result
    return result


@implements("slice")
def reverse_between(text: str, lower: Natural, upper: Natural, step: Literal[-1], /) -> str:
    """The characters after one index and up to another, reversed."""
    part = text[upper + 1 : lower + 1]
    result = ""
    for character in part:
        result = character + result
    return result


@implements("slice")
def slice_all(text: str, lower: None, upper: None, step: Positive, /) -> str:
    """Every `step`-th character."""
    result = ""
    for place in range(0, len(text), step):
        result += text[place]
    return result


@implements("slice")
def slice_from(text: str, lower: Natural, upper: None, step: Positive, /) -> str:
    """Every `step`-th character from an index on."""
    result = ""
    for place in range(lower, len(text), step):
        result += text[place]
    return result


@implements("slice")
def slice_part(text: str, lower: Any, upper: Any, step: Positive, /) -> str:
    """Every `step`-th character of a slice."""
    part = text[lower:upper]
    result = ""
    for place in range(0, len(part), step):
        result += part[place]
    return result


@implements("slice")
def slice_back(text: str, lower: None, upper: None, step: Negative, /) -> str:
    """Every `step`-th character from the last one on, reversed."""
    result = ""
    for place in range(len(text) - 1, -1, step):
        result += text[place]
    return result


@implements("slice")
def stepped_slice(text: str, lower: Any, upper: Any, step: Any, /) -> str:
    """The characters at the indices of a slice."""
    result = ""
    for place in range(*slice(lower, upper, step).indices(len(text))):
        result += text[place]
    return result
