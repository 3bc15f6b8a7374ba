"""References for case conversions: they call the same method on each character.

Where the case of a character depends on its neighbours (final sigma), they require an ASCII string.
"""

from __future__ import annotations

from rewrite.string_methods.preconditions import Ascii
from rewrite.string_methods.reference import implements


@implements("upper")
def upper(text: str, /) -> str:
    """Each character in uppercase."""
    result = ""
    for character in text:
        result += character.upper()
    return result


@implements("casefold")
def casefold(text: str, /) -> str:
    """Each character case-folded."""
    result = ""
    for character in text:
        result += character.casefold()
    return result


@implements("lower")
def lower(text: Ascii, /) -> str:
    """Each character in lowercase."""
    result = ""
    for character in text:
        result += character.lower()
    return result


@implements("swapcase")
def swapcase(text: Ascii, /) -> str:
    """Each character with its case swapped."""
    result = ""
    for character in text:
        result += character.swapcase()
    return result


@implements("capitalize")
def capitalize(text: Ascii, /) -> str:
    """The first character in uppercase, the others in lowercase."""
    result = ""
    for place, character in enumerate(text):
        result += character.lower() if place else character.upper()
    return result


@implements("title")
def title(text: Ascii, /) -> str:
    """Cased characters in uppercase at the start of a word, in lowercase inside it."""
    result = ""
    inside = False
    for character in text:
        result += character.lower() if inside else character.upper()
        inside = character.isalpha()
    return result
