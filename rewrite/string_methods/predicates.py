"""References for isalpha and similar predicates: they test one character after the other until the result is known."""

from __future__ import annotations

from rewrite.string_methods.preconditions import Ascii
from rewrite.string_methods.reference import implements


@implements("isalpha")
def isalpha(text: str, /) -> bool:
    """Whether there are characters, and all are letters."""
    for character in text:
        if not character.isalpha():
            return False
    return text != ""


@implements("isdigit")
def isdigit(text: str, /) -> bool:
    """Whether there are characters, and all are digits."""
    for character in text:
        if not character.isdigit():
            return False
    return text != ""


@implements("isdecimal")
def isdecimal(text: str, /) -> bool:
    """Whether there are characters, and all are decimal digits."""
    for character in text:
        if not character.isdecimal():
            return False
    return text != ""


@implements("isnumeric")
def isnumeric(text: str, /) -> bool:
    """Whether there are characters, and all are numeric."""
    for character in text:
        if not character.isnumeric():
            return False
    return text != ""


@implements("isalnum")
def isalnum(text: str, /) -> bool:
    """Whether there are characters, and all are letters or numeric."""
    for character in text:
        if not character.isalnum():
            return False
    return text != ""


@implements("isspace")
def isspace(text: str, /) -> bool:
    """Whether there are characters, and all are whitespace."""
    for character in text:
        if not character.isspace():
            return False
    return text != ""


@implements("isprintable")
def isprintable(text: str, /) -> bool:
    """Whether all characters are printable; true for the empty string."""
    for character in text:
        if not character.isprintable():
            return False
    return True


@implements("isascii")
def isascii(text: str, /) -> bool:
    """Whether all characters are ASCII; true for the empty string."""
    for character in text:
        if not character.isascii():
            return False
    return True


@implements("islower")
def islower(text: str, /) -> bool:
    """Whether there are cased characters, and all of them are lowercase."""
    found = False
    for character in text:
        if character.istitle():
            return False
        if character.islower():
            found = True
    return found


@implements("isupper")
def isupper(text: str, /) -> bool:
    """Whether there are cased characters, and all of them are uppercase."""
    found = False
    for character in text:
        if character.isupper():
            found = True
        elif character.islower() or character.istitle():
            return False
    return found


@implements("istitle")
def istitle(text: str, /) -> bool:
    """Whether each run of cased characters begins with an uppercase character and has no other."""
    found = False
    inside = False
    for character in text:
        if character.istitle():
            if inside:
                return False
            found = True
            inside = True
        elif character.islower():
            if not inside:
                return False
        else:
            inside = False
    return found


@implements("isidentifier")
def isidentifier(text: Ascii, /) -> bool:
    """Whether there are characters, and all may begin an identifier or are digits behind its first character."""
    for place, character in enumerate(text):
        if not character.isidentifier() and (place == 0 or not character.isdecimal()):
            return False
    return text != ""
