"""upper, lower and the like: each character through the same method, which shows it.

Where the case of a character depends on its neighbours (the final sigma), only ASCII will do.
"""

from __future__ import annotations

from rewrite.string_methods.preconditions import Ascii
from rewrite.string_methods.reference import spells


@spells("upper")
def upper(text: str, /) -> str:
    """Each character in upper case."""
    result = ""
    for character in text:
        result += character.upper()
    return result


@spells("casefold")
def casefold(text: str, /) -> str:
    """Each character folded."""
    result = ""
    for character in text:
        result += character.casefold()
    return result


@spells("lower")
def lower(text: Ascii, /) -> str:
    """Each character in lower case."""
    result = ""
    for character in text:
        result += character.lower()
    return result


@spells("swapcase")
def swapcase(text: Ascii, /) -> str:
    """Each character in the other case."""
    result = ""
    for character in text:
        result += character.swapcase()
    return result


@spells("capitalize")
def capitalize(text: Ascii, /) -> str:
    """The first character in upper case, the others in lower case."""
    result = ""
    for place, character in enumerate(text):
        result += character.lower() if place else character.upper()
    return result


@spells("title")
def title(text: Ascii, /) -> str:
    """Letters in upper case at the start of a word, and in lower case inside one."""
    result = ""
    inside = False
    for character in text:
        result += character.lower() if inside else character.upper()
        inside = character.isalpha()
    return result
