"""Replacing: characters go through a window, which is replaced as a whole or loses its first character.

A table is asked for one character after the other.
"""

from __future__ import annotations

from rewrite.string_methods.preconditions import Char, Codes, Count, Pattern
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
    wanted = list(old)
    window: list[str] = []
    result = ""
    for character in text:
        window.append(character)
        if window == wanted:
            result += new
            window.clear()
        elif len(window) == len(wanted):
            result += window.pop(0)
    result += "".join(window)
    return text if result == text else result


@implements("replace", ELEMENTS)
def replace_some_windows(text: str, old: Pattern, new: str, number: Count, /) -> str:
    """The first `number` occurrences of a string replaced by another; all if `number` is negative."""
    wanted = list(old)
    window: list[str] = []
    result = ""
    remaining = number
    for character in text:
        window.append(character)
        if window == wanted and remaining != 0:
            result += new
            window.clear()
            remaining -= 1
        elif len(window) == len(wanted):
            result += window.pop(0)
    result += "".join(window)
    return text if result == text else result


@implements("translate", ELEMENTS)
def translate_elements(text: str, table: Codes, /) -> str:
    """Every character replaced by way of a table from code points to code points."""
    translated = ""
    for character in text:
        number = ord(character)
        translated += chr(table.get(number, number))
    return translated
