"""References for strip, lstrip and rstrip: they test characters from the ends up to the first one to keep."""

from __future__ import annotations

from rewrite.string_methods.preconditions import Char
from rewrite.string_methods.reference import implements


@implements("lstrip")
def lstrip(text: str, characters: None = None, /) -> str:
    """The string from its first non-whitespace character on."""
    for place, character in enumerate(text):
        if not character.isspace():
            return text[place:]
    return ""


@implements("lstrip")
def lstrip_one(text: str, characters: Char, /) -> str:
    """The string from its first other character on."""
    for place, character in enumerate(text):
        if character != characters:
            return text[place:]
    return ""


@implements("lstrip")
def lstrip_any(text: str, characters: str, /) -> str:
    """The string from its first character that is not in `characters`."""
    gone = list(characters)
    for place, character in enumerate(text):
        if character not in gone:
            return text[place:]
    return ""


@implements("rstrip")
def rstrip(text: str, characters: None = None, /) -> str:
    """The string up to its last non-whitespace character."""
    for place, character in enumerate(reversed(text)):
        if not character.isspace():
            return text[: len(text) - place]
    return ""


@implements("rstrip")
def rstrip_one(text: str, characters: Char, /) -> str:
    """The string up to its last other character."""
    for place, character in enumerate(reversed(text)):
        if character != characters:
            return text[: len(text) - place]
    return ""


@implements("rstrip")
def rstrip_any(text: str, characters: str, /) -> str:
    """The string up to its last character that is not in `characters`."""
    gone = list(characters)
    for place, character in enumerate(reversed(text)):
        if character not in gone:
            return text[: len(text) - place]
    return ""


@implements("strip")
def strip(text: str, characters: None = None, /) -> str:
    """The string from its first to its last non-whitespace character."""
    rest = ""
    for place, character in enumerate(text):
        if not character.isspace():
            rest = text[place:]
            break
    for place, character in enumerate(reversed(rest)):
        if not character.isspace():
            return rest[: len(rest) - place]
    return ""


@implements("strip")
def strip_one(text: str, characters: Char, /) -> str:
    """The string from its first to its last other character."""
    rest = ""
    for place, character in enumerate(text):
        if character != characters:
            rest = text[place:]
            break
    for place, character in enumerate(reversed(rest)):
        if character != characters:
            return rest[: len(rest) - place]
    return ""


@implements("strip")
def strip_any(text: str, characters: str, /) -> str:
    """The string from its first to its last character that is not in `characters`."""
    gone = list(characters)
    rest = ""
    for place, character in enumerate(text):
        if character not in gone:
            rest = text[place:]
            break
    for place, character in enumerate(reversed(rest)):
        if character not in gone:
            return rest[: len(rest) - place]
    return ""
