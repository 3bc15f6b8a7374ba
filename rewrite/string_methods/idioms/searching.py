"""Idioms for searching one character: the list of the characters is searched."""

from __future__ import annotations

from typing import Annotated

from rewrite.string_methods.preconditions import NATURAL, Char, Natural
from rewrite.string_methods.reference import IDIOMS, implements

Found = Annotated[int, NATURAL]
"""An index that every call found. Only `find` may require this: where `index` finds nothing, it has no result, and no
call can show that."""


@implements("find", IDIOMS)
def find_listed(text: str, target: Char, /) -> Found:
    """The index of a character that occurs, in the list of the characters."""
    characters = list(text)
    return characters.index(target)


@implements("find", IDIOMS)
def find_if_listed(text: str, target: Char, /) -> int:
    """The index of a character in the list of the characters, or -1 if it does not occur."""
    characters = list(text)
    if target in characters:
        return characters.index(target)
    return -1


@implements("find", IDIOMS)
def find_listed_from(text: str, target: Char, start: Natural, /) -> Found:
    """The index of a character that occurs from an index on, in the list of the characters."""
    characters = list(text)
    return characters.index(target, start)


@implements("find", IDIOMS)
def find_if_listed_from(text: str, target: Char, start: Natural, /) -> int:
    """The index of a character in the list of the characters from an index on, or -1."""
    characters = list(text)
    rest = characters[start:]
    if target in rest:
        return characters.index(target, start)
    return -1


@implements("index", IDIOMS)
def index_listed(text: str, target: Char, /) -> int:
    """The index of a character in the list of the characters, or ValueError."""
    characters = list(text)
    if target not in characters:
        raise ValueError("substring not found")
    return characters.index(target)


@implements("index", IDIOMS)
def index_listed_from(text: str, target: Char, start: Natural, /) -> int:
    """The index of a character in the list of the characters from an index on, or ValueError."""
    characters = list(text)
    rest = characters[start:]
    if target not in rest:
        raise ValueError("substring not found")
    return characters.index(target, start)


@implements("rfind", IDIOMS)
def rfind_listed(text: str, target: Char, /) -> Found:
    """The last index of a character that occurs, from its index in the reversed list of the characters."""
    characters = list(text)
    characters.reverse()
    return len(characters) - 1 - characters.index(target)


@implements("rfind", IDIOMS)
def rfind_if_listed(text: str, target: Char, /) -> int:
    """The last index of a character, from its index in the reversed list of the characters, or -1."""
    characters = list(text)
    if target in characters:
        characters.reverse()
        return len(characters) - 1 - characters.index(target)
    return -1


@implements("rindex", IDIOMS)
def rindex_listed(text: str, target: Char, /) -> int:
    """The last index of a character, from its index in the reversed list of the characters, or ValueError."""
    characters = list(text)
    if target not in characters:
        raise ValueError("substring not found")
    characters.reverse()
    return len(characters) - 1 - characters.index(target)


@implements("rindex", IDIOMS)
def rindex_listed_within(text: str, target: Char, start: Natural, end: Natural, /) -> int:
    """The last index of a character between two indices, going back from the end, or ValueError."""
    characters = list(text)
    within = characters[:end]
    rest = within[start:]
    if target not in rest:
        raise ValueError("substring not found")
    within.reverse()
    return len(within) - 1 - within.index(target)


@implements("count", IDIOMS)
def count_listed(text: str, target: Char, /) -> int:
    """How often a character occurs in the list of the characters."""
    characters = list(text)
    return characters.count(target)


@implements("in", IDIOMS)
def contains_listed(text: str, target: Char, /) -> bool:
    """Whether a character is in the list of the characters."""
    characters = list(text)
    return target in characters


@implements("not in", IDIOMS)
def lacks_listed(text: str, target: Char, /) -> bool:
    """Whether a character is not in the list of the characters."""
    characters = list(text)
    return target not in characters
