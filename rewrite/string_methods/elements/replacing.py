"""Replacing: the result grows by one character or by the replacement."""

from __future__ import annotations

from rewrite.string_methods.preconditions import Char, Count, Pattern
from rewrite.string_methods.reference import ELEMENTS, implements


@implements("replace", ELEMENTS)
def replace_characters(text: str, old: Char, new: str, /) -> str:
    """Every occurrence of a character replaced by a string."""
    result = ""
    for character in text:
        if character == old:
            result += new
        else:
            result += character
    return text if result == text else result


@implements("replace", ELEMENTS)
def replace_windows(text: str, old: Pattern, new: str, /) -> str:
    """Every occurrence of a string replaced by another."""
    characters = list(text)
    wanted = list(old)
    result = ""
    place = 0
    while place < len(characters):
        if characters[place : place + len(wanted)] == wanted:
            result += new
            place += len(wanted)
        else:
            result += characters[place]
            place += 1
    return text if result == text else result


@implements("replace", ELEMENTS)
def replace_some_windows(text: str, old: Pattern, new: str, number: Count, /) -> str:
    """The first `number` occurrences of a string replaced by another; all if `number` is negative."""
    characters = list(text)
    wanted = list(old)
    result = ""
    place = 0
    remaining = number
    while place < len(characters):
        if remaining != 0 and characters[place : place + len(wanted)] == wanted:
            result += new
            place += len(wanted)
            remaining -= 1
        else:
            result += characters[place]
            place += 1
    return text if result == text else result
