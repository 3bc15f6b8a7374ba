"""Idioms for strip and its kin: one character goes in each round, and each state shows what is left."""

from __future__ import annotations

from rewrite.string_methods.preconditions import Char
from rewrite.string_methods.reference import IDIOMS, implements


@implements("lstrip", IDIOMS)
def lstrip_rounds(text: str, characters: None = None, /) -> str:
    """Removes leading whitespace, one character in each round."""
    rest = text
    while rest and rest[0].isspace():
        rest = rest[1:]
    return rest


@implements("lstrip", IDIOMS)
def lstrip_one_rounds(text: str, characters: Char, /) -> str:
    """Removes a leading character, once in each round."""
    rest = text
    while rest and rest[0] == characters:
        rest = rest[1:]
    return rest


@implements("lstrip", IDIOMS)
def lstrip_any_rounds(text: str, characters: str, /) -> str:
    """Removes leading characters of a set, one in each round."""
    rest = text
    while rest and rest[0] in characters:
        rest = rest[1:]
    return rest


@implements("rstrip", IDIOMS)
def rstrip_rounds(text: str, characters: None = None, /) -> str:
    """Removes trailing whitespace, one character in each round."""
    rest = text
    while rest and rest[-1].isspace():
        rest = rest[:-1]
    return rest


@implements("rstrip", IDIOMS)
def rstrip_one_rounds(text: str, characters: Char, /) -> str:
    """Removes a trailing character, once in each round."""
    rest = text
    while rest and rest[-1] == characters:
        rest = rest[:-1]
    return rest


@implements("rstrip", IDIOMS)
def rstrip_any_rounds(text: str, characters: str, /) -> str:
    """Removes trailing characters of a set, one in each round."""
    rest = text
    while rest and rest[-1] in characters:
        rest = rest[:-1]
    return rest


@implements("strip", IDIOMS)
def strip_rounds(text: str, characters: None = None, /) -> str:
    """Removes leading, then trailing whitespace, one character in each round."""
    rest = text
    while rest and rest[0].isspace():
        rest = rest[1:]
    while rest and rest[-1].isspace():
        rest = rest[:-1]
    return rest


@implements("strip", IDIOMS)
def strip_one_rounds(text: str, characters: Char, /) -> str:
    """The string without its first and its last character as long as they are a given one."""
    rest = text
    while rest and rest[0] == characters:
        rest = rest[1:]
    while rest and rest[-1] == characters:
        rest = rest[:-1]
    return rest


@implements("strip", IDIOMS)
def strip_any_rounds(text: str, characters: str, /) -> str:
    """The string without its first and its last character as long as they are among several."""
    rest = text
    while rest and rest[0] in characters:
        rest = rest[1:]
    while rest and rest[-1] in characters:
        rest = rest[:-1]
    return rest
