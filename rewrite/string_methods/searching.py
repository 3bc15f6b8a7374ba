"""find, rfind, index, rindex and count: one character, a longer text, and both within bounds.

The forms for one character consist of steps that hold one operation each, so that `decompose` has nothing to add.
A longer text is compared only where its first character stands. An empty one is left to the method.
"""

from __future__ import annotations

from typing import Any

from rewrite.string_methods.preconditions import Char, Natural, Negative, Pattern
from rewrite.string_methods.reference import PAPER, spells


@spells("find", PAPER)
def find(text: str, target: Char, /) -> int:
    """The first place of a character, or -1."""
    for place, character in enumerate(text):
        if character == target:
            return place
    return -1


@spells("find", PAPER)
def find_from(text: str, target: Char, start: Natural, end: Any = None, /) -> int:
    """The first place of a character from a place on, or -1."""
    part = text[start:end]
    for place, character in enumerate(part, start):
        if character == target:
            return place
    return -1


@spells("find", PAPER)
def find_near_end(text: str, target: Char, start: Negative, end: Any = None, /) -> int:
    """The first place of a character in the last so many, or -1."""
    skipped = text[:start]
    first = len(skipped)
    part = text[start:end]
    for place, character in enumerate(part, first):
        if character == target:
            return place
    return -1


@spells("find", PAPER)
def find_within(text: str, target: Char, start: Any, end: Any = None, /) -> int:
    """The first place of a character within bounds, or -1."""
    length = len(text)
    window = slice(start, end)
    bounds = window.indices(length)
    for place in range(*bounds):
        character = text[place]
        if character == target:
            return place
    return -1


@spells("rfind", PAPER)
def rfind(text: str, target: Char, /) -> int:
    """The last place of a character, or -1."""
    found = -1
    for place, character in enumerate(text):
        if character == target:
            found = place
    return found


@spells("rfind", PAPER)
def rfind_from(text: str, target: Char, start: Natural, end: Any = None, /) -> int:
    """The last place of a character from a place on, or -1."""
    part = text[start:end]
    found = -1
    for place, character in enumerate(part, start):
        if character == target:
            found = place
    return found


@spells("rfind", PAPER)
def rfind_near_end(text: str, target: Char, start: Negative, end: Any = None, /) -> int:
    """The last place of a character in the last so many, or -1."""
    skipped = text[:start]
    first = len(skipped)
    part = text[start:end]
    found = -1
    for place, character in enumerate(part, first):
        if character == target:
            found = place
    return found


@spells("rfind", PAPER)
def rfind_within(text: str, target: Char, start: Any, end: Any = None, /) -> int:
    """The last place of a character within bounds, or -1."""
    length = len(text)
    window = slice(start, end)
    bounds = window.indices(length)
    found = -1
    for place in range(*bounds):
        character = text[place]
        if character == target:
            found = place
    return found


@spells("index", PAPER)
def index(text: str, target: Char, /) -> int:
    """The first place of a character, which must be there."""
    for place, character in enumerate(text):
        if character == target:
            return place
    raise ValueError("substring not found")


@spells("index", PAPER)
def index_from(text: str, target: Char, start: Natural, end: Any = None, /) -> int:
    """The first place of a character from a place on, which must be there."""
    part = text[start:end]
    for place, character in enumerate(part, start):
        if character == target:
            return place
    raise ValueError("substring not found")


@spells("index", PAPER)
def index_near_end(text: str, target: Char, start: Negative, end: Any = None, /) -> int:
    """The first place of a character in the last so many, which must be there."""
    skipped = text[:start]
    first = len(skipped)
    part = text[start:end]
    for place, character in enumerate(part, first):
        if character == target:
            return place
    raise ValueError("substring not found")


@spells("index", PAPER)
def index_within(text: str, target: Char, start: Any, end: Any = None, /) -> int:
    """The first place of a character within bounds, which must be there."""
    length = len(text)
    window = slice(start, end)
    bounds = window.indices(length)
    for place in range(*bounds):
        character = text[place]
        if character == target:
            return place
    raise ValueError("substring not found")


@spells("rindex", PAPER)
def rindex(text: str, target: Char, /) -> int:
    """The last place of a character, which must be there."""
    found = -1
    for place, character in enumerate(text):
        if character == target:
            found = place
    if found == -1:
        raise ValueError("substring not found")
    return found


@spells("rindex", PAPER)
def rindex_from(text: str, target: Char, start: Natural, end: Any = None, /) -> int:
    """The last place of a character from a place on, which must be there."""
    part = text[start:end]
    found = -1
    for place, character in enumerate(part, start):
        if character == target:
            found = place
    if found == -1:
        raise ValueError("substring not found")
    return found


@spells("rindex", PAPER)
def rindex_near_end(text: str, target: Char, start: Negative, end: Any = None, /) -> int:
    """The last place of a character in the last so many, which must be there."""
    skipped = text[:start]
    first = len(skipped)
    part = text[start:end]
    found = -1
    for place, character in enumerate(part, first):
        if character == target:
            found = place
    if found == -1:
        raise ValueError("substring not found")
    return found


@spells("rindex", PAPER)
def rindex_within(text: str, target: Char, start: Any, end: Any = None, /) -> int:
    """The last place of a character within bounds, which must be there."""
    length = len(text)
    window = slice(start, end)
    bounds = window.indices(length)
    found = -1
    for place in range(*bounds):
        character = text[place]
        if character == target:
            found = place
    if found == -1:
        raise ValueError("substring not found")
    return found


@spells("count", PAPER)
def count(text: str, target: Char, /) -> int:
    """The number of times a character occurs."""
    found = 0
    for character in text:
        if character == target:
            found += 1
    return found


@spells("count", PAPER)
def count_within(text: str, target: Char, start: Any, end: Any = None, /) -> int:
    """The number of times a character occurs within bounds."""
    part = text[start:end]
    found = 0
    for character in part:
        if character == target:
            found += 1
    return found


@spells("find")
def find_text(text: str, target: Pattern, /) -> int:
    """The first place of a text, or -1."""
    letters = list(text)
    place = -1
    while target[0] in letters[place + 1 :]:
        place = letters.index(target[0], place + 1)
        part = text[place : place + len(target)]
        if part == target:
            return place
    return -1


@spells("find")
def find_text_from(text: str, target: Pattern, start: Natural, end: Any = None, /) -> int:
    """The first place of a text from a place on, or -1."""
    part = text[start:end]
    for place in range(len(part) - len(target) + 1):
        if part[place : place + len(target)] == target:
            return start + place
    return -1


@spells("find")
def find_text_within(text: str, target: Pattern, start: Any, end: Any = None, /) -> int:
    """The first place of a text within bounds, or -1."""
    first, last, _ = slice(start, end).indices(len(text))
    for place in range(first, last - len(target) + 1):
        part = text[place : place + len(target)]
        if part == target:
            return place
    return -1


@spells("rfind")
def rfind_text(text: str, target: Pattern, /) -> int:
    """The last place of a text, or -1."""
    found = -1
    letters = list(text)
    place = -1
    while target[0] in letters[place + 1 :]:
        place = letters.index(target[0], place + 1)
        part = text[place : place + len(target)]
        if part == target:
            found = place
    return found


@spells("rfind")
def rfind_text_from(text: str, target: Pattern, start: Natural, end: Any = None, /) -> int:
    """The last place of a text from a place on, or -1."""
    part = text[start:end]
    for place in range(len(part) - len(target), -1, -1):
        if part[place : place + len(target)] == target:
            return start + place
    return -1


@spells("rfind")
def rfind_text_within(text: str, target: Pattern, start: Any, end: Any = None, /) -> int:
    """The last place of a text within bounds, or -1."""
    first, last, _ = slice(start, end).indices(len(text))
    for place in range(last - len(target), first - 1, -1):
        part = text[place : place + len(target)]
        if part == target:
            return place
    return -1


@spells("index")
def index_text(text: str, target: Pattern, /) -> int:
    """The first place of a text, which must be there."""
    letters = list(text)
    place = -1
    while target[0] in letters[place + 1 :]:
        place = letters.index(target[0], place + 1)
        part = text[place : place + len(target)]
        if part == target:
            return place
    raise ValueError("substring not found")


@spells("index")
def index_text_from(text: str, target: Pattern, start: Natural, end: Any = None, /) -> int:
    """The first place of a text from a place on, which must be there."""
    part = text[start:end]
    for place in range(len(part) - len(target) + 1):
        if part[place : place + len(target)] == target:
            return start + place
    raise ValueError("substring not found")


@spells("index")
def index_text_within(text: str, target: Pattern, start: Any, end: Any = None, /) -> int:
    """The first place of a text within bounds, which must be there."""
    first, last, _ = slice(start, end).indices(len(text))
    for place in range(first, last - len(target) + 1):
        part = text[place : place + len(target)]
        if part == target:
            return place
    raise ValueError("substring not found")


@spells("rindex")
def rindex_text(text: str, target: Pattern, /) -> int:
    """The last place of a text, which must be there."""
    found = -1
    letters = list(text)
    place = -1
    while target[0] in letters[place + 1 :]:
        place = letters.index(target[0], place + 1)
        part = text[place : place + len(target)]
        if part == target:
            found = place
    if found == -1:
        raise ValueError("substring not found")
    return found


@spells("rindex")
def rindex_text_from(text: str, target: Pattern, start: Natural, end: Any = None, /) -> int:
    """The last place of a text from a place on, which must be there."""
    part = text[start:end]
    for place in range(len(part) - len(target), -1, -1):
        if part[place : place + len(target)] == target:
            return start + place
    raise ValueError("substring not found")


@spells("rindex")
def rindex_text_within(text: str, target: Pattern, start: Any, end: Any = None, /) -> int:
    """The last place of a text within bounds, which must be there."""
    first, last, _ = slice(start, end).indices(len(text))
    for place in range(last - len(target), first - 1, -1):
        part = text[place : place + len(target)]
        if part == target:
            return place
    raise ValueError("substring not found")


@spells("count")
def count_text(text: str, target: Pattern, /) -> int:
    """The number of times a text occurs, without overlaps."""
    found = 0
    behind = 0
    letters = list(text)
    place = -1
    while target[0] in letters[place + 1 :]:
        place = letters.index(target[0], place + 1)
        part = text[place : place + len(target)]
        if part == target and place >= behind:
            found += 1
            behind = place + len(target)
    return found


@spells("count")
def count_text_within(text: str, target: Pattern, start: Any, end: Any = None, /) -> int:
    """The number of times a text occurs within bounds, without overlaps."""
    window = text[start:end]
    found = 0
    behind = 0
    letters = list(window)
    place = -1
    while target[0] in letters[place + 1 :]:
        place = letters.index(target[0], place + 1)
        part = window[place : place + len(target)]
        if part == target and place >= behind:
            found += 1
            behind = place + len(target)
    return found
