"""isalpha and the like: one character after the other, up to the first that decides."""

from __future__ import annotations

from rewrite.string_methods.reference import spells


@spells("isalpha")
def isalpha(text: str, /) -> bool:
    """Whether there are characters, and all are letters."""
    for character in text:
        if not character.isalpha():
            return False
    return text != ""


@spells("isdigit")
def isdigit(text: str, /) -> bool:
    """Whether there are characters, and all are digits."""
    for character in text:
        if not character.isdigit():
            return False
    return text != ""


@spells("isdecimal")
def isdecimal(text: str, /) -> bool:
    """Whether there are characters, and all are decimal digits."""
    for character in text:
        if not character.isdecimal():
            return False
    return text != ""


@spells("isnumeric")
def isnumeric(text: str, /) -> bool:
    """Whether there are characters, and all are numeric."""
    for character in text:
        if not character.isnumeric():
            return False
    return text != ""


@spells("isalnum")
def isalnum(text: str, /) -> bool:
    """Whether there are characters, and all are letters or numeric."""
    for character in text:
        if not character.isalnum():
            return False
    return text != ""


@spells("isspace")
def isspace(text: str, /) -> bool:
    """Whether there are characters, and all are white space."""
    for character in text:
        if not character.isspace():
            return False
    return text != ""


@spells("isprintable")
def isprintable(text: str, /) -> bool:
    """Whether all characters can be printed; also of none."""
    for character in text:
        if not character.isprintable():
            return False
    return True


@spells("isascii")
def isascii(text: str, /) -> bool:
    """Whether all characters are ASCII; also of none."""
    for character in text:
        if not character.isascii():
            return False
    return True


@spells("islower")
def islower(text: str, /) -> bool:
    """Whether there are characters with case, and all of them are lower case."""
    found = False
    for character in text:
        if character.istitle():
            return False
        if character.islower():
            found = True
    return found


@spells("isupper")
def isupper(text: str, /) -> bool:
    """Whether there are characters with case, and all of them are upper case."""
    found = False
    for character in text:
        if character.isupper():
            found = True
        elif character.islower() or character.istitle():
            return False
    return found


@spells("istitle")
def istitle(text: str, /) -> bool:
    """Whether upper case stands at the start of each run of characters with case, and only there."""
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


@spells("isidentifier")
def isidentifier(text: str, /) -> bool:
    """Whether the text is a name: each character may stand in one, and the first may begin one."""
    for place, character in enumerate(text):
        name = "_" + character if place else character
        if not str.isidentifier(name):
            return False
    return text != ""
