"""strip, lstrip and rstrip: characters looked at from the ends, up to the first that stays."""

from __future__ import annotations

from rewrite.string_methods.preconditions import Char
from rewrite.string_methods.reference import spells


@spells("lstrip")
def lstrip(text: str, characters: None = None, /) -> str:
    """The text from its first character on that is no white space."""
    for place, character in enumerate(text):
        if not character.isspace():
            return text[place:]
    return ""


@spells("lstrip")
def lstrip_one(text: str, characters: Char, /) -> str:
    """The text from its first character on that is another one."""
    for place, character in enumerate(text):
        if character != characters:
            return text[place:]
    return ""


@spells("lstrip")
def lstrip_any(text: str, characters: str, /) -> str:
    """The text from its first character on that is none of these."""
    gone = list(characters)
    for place, character in enumerate(text):
        if character not in gone:
            return text[place:]
    return ""


@spells("rstrip")
def rstrip(text: str, characters: None = None, /) -> str:
    """The text up to its last character that is no white space."""
    for place, character in enumerate(reversed(text)):
        if not character.isspace():
            return text[: len(text) - place]
    return ""


@spells("rstrip")
def rstrip_one(text: str, characters: Char, /) -> str:
    """The text up to its last character that is another one."""
    for place, character in enumerate(reversed(text)):
        if character != characters:
            return text[: len(text) - place]
    return ""


@spells("rstrip")
def rstrip_any(text: str, characters: str, /) -> str:
    """The text up to its last character that is none of these."""
    gone = list(characters)
    for place, character in enumerate(reversed(text)):
        if character not in gone:
            return text[: len(text) - place]
    return ""


@spells("strip")
def strip(text: str, characters: None = None, /) -> str:
    """The text between its first and last character that is no white space."""
    rest = ""
    for place, character in enumerate(text):
        if not character.isspace():
            rest = text[place:]
            break
    for place, character in enumerate(reversed(rest)):
        if not character.isspace():
            return rest[: len(rest) - place]
    return ""


@spells("strip")
def strip_one(text: str, characters: Char, /) -> str:
    """The text between its first and last character that is another one."""
    rest = ""
    for place, character in enumerate(text):
        if character != characters:
            rest = text[place:]
            break
    for place, character in enumerate(reversed(rest)):
        if character != characters:
            return rest[: len(rest) - place]
    return ""


@spells("strip")
def strip_any(text: str, characters: str, /) -> str:
    """The text between its first and last character that is none of these."""
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
