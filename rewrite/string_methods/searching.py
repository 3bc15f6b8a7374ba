"""Reference implementations of find, rfind, index, rindex and count, for one character and for longer targets.

Those for one character have one operation per statement, so that `decompose` adds nothing. A longer target is
compared only where its first character occurs. An empty target is left to the method.
"""

from __future__ import annotations

from typing import Any

from rewrite.string_methods.preconditions import Char, Natural, Negative, Pattern
from rewrite.string_methods.reference import PAPER, implements


@implements("find", PAPER)
def find(text: str, target: Char, /) -> int:
    """The first index of a character, or -1."""
    for place, character in enumerate(text):
        if character == target:
            return place
    return -1


@implements("find", PAPER)
def find_from(text: str, target: Char, start: Natural, end: Any = None, /) -> int:
    """The first index of a character from an index on, or -1."""
    part = text[start:end]
    for place, character in enumerate(part, start):
        if character == target:
            return place
    return -1


@implements("find", PAPER)
def find_near_end(text: str, target: Char, start: Negative, end: Any = None, /) -> int:
    """The first index of a character from a negative start on, or -1."""
    skipped = text[:start]
    first = len(skipped)
    part = text[start:end]
    for place, character in enumerate(part, first):
        if character == target:
            return place
    return -1


@implements("find", PAPER)
def find_within(text: str, target: Char, start: Any, end: Any = None, /) -> int:
    """The first index of a character within bounds, or -1."""
    length = len(text)
    window = slice(start, end)
    bounds = window.indices(length)
    for place in range(*bounds):
        character = text[place]
        if character == target:
            return place
    return -1


@implements("rfind", PAPER)
def rfind(text: str, target: Char, /) -> int:
    """The last index of a character, or -1."""
    found = -1
    for place, character in enumerate(text):
        if character == target:
            found = place
    return found


@implements("rfind", PAPER)
def rfind_from(text: str, target: Char, start: Natural, end: Any = None, /) -> int:
    """The last index of a character from an index on, or -1."""
    part = text[start:end]
    found = -1
    for place, character in enumerate(part, start):
        if character == target:
            found = place
    return found


@implements("rfind", PAPER)
def rfind_near_end(text: str, target: Char, start: Negative, end: Any = None, /) -> int:
    """The last index of a character from a negative start on, or -1."""
    skipped = text[:start]
    first = len(skipped)
    part = text[start:end]
    found = -1
    for place, character in enumerate(part, first):
        if character == target:
            found = place
    return found


@implements("rfind", PAPER)
def rfind_within(text: str, target: Char, start: Any, end: Any = None, /) -> int:
    """The last index of a character within bounds, or -1."""
    length = len(text)
    window = slice(start, end)
    bounds = window.indices(length)
    found = -1
    for place in range(*bounds):
        character = text[place]
        if character == target:
            found = place
    return found


@implements("index", PAPER)
def index(text: str, target: Char, /) -> int:
    """The first index of a character, or ValueError."""
    for place, character in enumerate(text):
        if character == target:
            return place
    raise ValueError("substring not found")


@implements("index", PAPER)
def index_from(text: str, target: Char, start: Natural, end: Any = None, /) -> int:
    """The first index of a character from an index on, or ValueError."""
    part = text[start:end]
    for place, character in enumerate(part, start):
        if character == target:
            return place
    raise ValueError("substring not found")


@implements("index", PAPER)
def index_near_end(text: str, target: Char, start: Negative, end: Any = None, /) -> int:
    """The first index of a character from a negative start on, or ValueError."""
    skipped = text[:start]
    first = len(skipped)
    part = text[start:end]
    for place, character in enumerate(part, first):
        if character == target:
            return place
    raise ValueError("substring not found")


@implements("index", PAPER)
def index_within(text: str, target: Char, start: Any, end: Any = None, /) -> int:
    """The first index of a character within bounds, or ValueError."""
    length = len(text)
    window = slice(start, end)
    bounds = window.indices(length)
    for place in range(*bounds):
        character = text[place]
        if character == target:
            return place
    raise ValueError("substring not found")


@implements("rindex", PAPER)
def rindex(text: str, target: Char, /) -> int:
    """The last index of a character, or ValueError."""
    found = -1
    for place, character in enumerate(text):
        if character == target:
            found = place
    if found == -1:
        raise ValueError("substring not found")
    return found


@implements("rindex", PAPER)
def rindex_from(text: str, target: Char, start: Natural, end: Any = None, /) -> int:
    """The last index of a character from an index on, or ValueError."""
    part = text[start:end]
    found = -1
    for place, character in enumerate(part, start):
        if character == target:
            found = place
    if found == -1:
        raise ValueError("substring not found")
    return found


@implements("rindex", PAPER)
def rindex_near_end(text: str, target: Char, start: Negative, end: Any = None, /) -> int:
    """The last index of a character from a negative start on, or ValueError."""
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


@implements("rindex", PAPER)
def rindex_within(text: str, target: Char, start: Any, end: Any = None, /) -> int:
    """The last index of a character within bounds, or ValueError."""
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


@implements("count", PAPER)
def count(text: str, target: Char, /) -> int:
    """The number of occurrences of a character."""
    found = 0
    for character in text:
        if character == target:
            found += 1
    return found


@implements("count", PAPER)
def count_within(text: str, target: Char, start: Any, end: Any = None, /) -> int:
    """The number of occurrences of a character within bounds."""
    part = text[start:end]
    found = 0
    for character in part:
        if character == target:
            found += 1
    return found


@implements("find")
def find_text(text: str, target: Pattern, /) -> int:
    """The first index of a string, or -1."""
    letters = list(text)
    place = -1
    while target[0] in letters[place + 1 :]:
        place = letters.index(target[0], place + 1)
        part = text[place : place + len(target)]
        if part == target:
            return place
    return -1


@implements("find")
def find_text_from(text: str, target: Pattern, start: Natural, end: Any = None, /) -> int:
    """The first index of a string from an index on, or -1."""
    part = text[start:end]
    for place in range(len(part) - len(target) + 1):
        if part[place : place + len(target)] == target:
            return start + place
    return -1


@implements("find")
def find_text_within(text: str, target: Pattern, start: Any, end: Any = None, /) -> int:
    """The first index of a string within bounds, or -1."""
    first, last, _ = slice(start, end).indices(len(text))
    for place in range(first, last - len(target) + 1):
        part = text[place : place + len(target)]
        if part == target:
            return place
    return -1


@implements("rfind")
def rfind_text(text: str, target: Pattern, /) -> int:
    """The last index of a string, or -1."""
    found = -1
    letters = list(text)
    place = -1
    while target[0] in letters[place + 1 :]:
        place = letters.index(target[0], place + 1)
        part = text[place : place + len(target)]
        if part == target:
            found = place
    return found


@implements("rfind")
def rfind_text_from(text: str, target: Pattern, start: Natural, end: Any = None, /) -> int:
    """The last index of a string from an index on, or -1."""
    part = text[start:end]
    for place in range(len(part) - len(target), -1, -1):
        if part[place : place + len(target)] == target:
            return start + place
    return -1


@implements("rfind")
def rfind_text_within(text: str, target: Pattern, start: Any, end: Any = None, /) -> int:
    """The last index of a string within bounds, or -1."""
    first, last, _ = slice(start, end).indices(len(text))
    for place in range(last - len(target), first - 1, -1):
        part = text[place : place + len(target)]
        if part == target:
            return place
    return -1


@implements("index")
def index_text(text: str, target: Pattern, /) -> int:
    """The first index of a string, or ValueError."""
    letters = list(text)
    place = -1
    while target[0] in letters[place + 1 :]:
        place = letters.index(target[0], place + 1)
        part = text[place : place + len(target)]
        if part == target:
            return place
    raise ValueError("substring not found")


@implements("index")
def index_text_from(text: str, target: Pattern, start: Natural, end: Any = None, /) -> int:
    """The first index of a string from an index on, or ValueError."""
    part = text[start:end]
    for place in range(len(part) - len(target) + 1):
        if part[place : place + len(target)] == target:
            return start + place
    raise ValueError("substring not found")


@implements("index")
def index_text_within(text: str, target: Pattern, start: Any, end: Any = None, /) -> int:
    """The first index of a string within bounds, or ValueError."""
    first, last, _ = slice(start, end).indices(len(text))
    for place in range(first, last - len(target) + 1):
        part = text[place : place + len(target)]
        if part == target:
            return place
    raise ValueError("substring not found")


@implements("rindex")
def rindex_text(text: str, target: Pattern, /) -> int:
    """The last index of a string, or ValueError."""
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


@implements("rindex")
def rindex_text_from(text: str, target: Pattern, start: Natural, end: Any = None, /) -> int:
    """The last index of a string from an index on, or ValueError."""
    part = text[start:end]
    for place in range(len(part) - len(target), -1, -1):
        if part[place : place + len(target)] == target:
            return start + place
    raise ValueError("substring not found")


@implements("rindex")
def rindex_text_within(text: str, target: Pattern, start: Any, end: Any = None, /) -> int:
    """The last index of a string within bounds, or ValueError."""
    first, last, _ = slice(start, end).indices(len(text))
    for place in range(last - len(target), first - 1, -1):
        part = text[place : place + len(target)]
        if part == target:
            return place
    raise ValueError("substring not found")


@implements("count")
def count_text(text: str, target: Pattern, /) -> int:
    """The number of non-overlapping occurrences of a string."""
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


@implements("count")
def count_text_within(text: str, target: Pattern, start: Any, end: Any = None, /) -> int:
    """The number of non-overlapping occurrences of a string within bounds."""
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
