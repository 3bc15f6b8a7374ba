"""Searching a string: a window of characters moves over the list of the characters."""

from __future__ import annotations

from typing import Any

from rewrite.string_methods.preconditions import Pattern
from rewrite.string_methods.reference import ELEMENTS, implements


@implements("find", ELEMENTS)
def find_window(text: str, target: Pattern, /) -> int:
    """The first place where the characters are those of the target, or -1."""
    characters = list(text)
    wanted = list(target)
    for place in range(len(characters) - len(wanted) + 1):
        if characters[place : place + len(wanted)] == wanted:
            return place
    return -1


@implements("find", ELEMENTS)
def find_window_within(text: str, target: Pattern, start: Any, end: Any = None, /) -> int:
    """The first place within bounds where the characters are those of the target, or -1."""
    characters = list(text)
    wanted = list(target)
    first, last, _ = slice(start, end).indices(len(characters))
    for place in range(first, last - len(wanted) + 1):
        if characters[place : place + len(wanted)] == wanted:
            return place
    return -1


@implements("rfind", ELEMENTS)
def rfind_window(text: str, target: Pattern, /) -> int:
    """The last place where the characters are those of the target, or -1."""
    characters = list(text)
    wanted = list(target)
    for place in range(len(characters) - len(wanted), -1, -1):
        if characters[place : place + len(wanted)] == wanted:
            return place
    return -1


@implements("rfind", ELEMENTS)
def rfind_window_within(text: str, target: Pattern, start: Any, end: Any = None, /) -> int:
    """The last place within bounds where the characters are those of the target, or -1."""
    characters = list(text)
    wanted = list(target)
    first, last, _ = slice(start, end).indices(len(characters))
    for place in range(last - len(wanted), first - 1, -1):
        if characters[place : place + len(wanted)] == wanted:
            return place
    return -1


@implements("index", ELEMENTS)
def index_window(text: str, target: Pattern, /) -> int:
    """The first place where the characters are those of the target, or ValueError."""
    characters = list(text)
    wanted = list(target)
    for place in range(len(characters) - len(wanted) + 1):
        if characters[place : place + len(wanted)] == wanted:
            return place
    raise ValueError("substring not found")


@implements("index", ELEMENTS)
def index_window_within(text: str, target: Pattern, start: Any, end: Any = None, /) -> int:
    """The first place within bounds where the characters are those of the target, or ValueError."""
    characters = list(text)
    wanted = list(target)
    first, last, _ = slice(start, end).indices(len(characters))
    for place in range(first, last - len(wanted) + 1):
        if characters[place : place + len(wanted)] == wanted:
            return place
    raise ValueError("substring not found")


@implements("rindex", ELEMENTS)
def rindex_window(text: str, target: Pattern, /) -> int:
    """The last place where the characters are those of the target, or ValueError."""
    characters = list(text)
    wanted = list(target)
    for place in range(len(characters) - len(wanted), -1, -1):
        if characters[place : place + len(wanted)] == wanted:
            return place
    raise ValueError("substring not found")


@implements("rindex", ELEMENTS)
def rindex_window_within(text: str, target: Pattern, start: Any, end: Any = None, /) -> int:
    """The last place within bounds where the characters are those of the target, or ValueError."""
    characters = list(text)
    wanted = list(target)
    first, last, _ = slice(start, end).indices(len(characters))
    for place in range(last - len(wanted), first - 1, -1):
        if characters[place : place + len(wanted)] == wanted:
            return place
    raise ValueError("substring not found")


@implements("count", ELEMENTS)
def count_windows(text: str, target: Pattern, /) -> int:
    """The number of places where the characters are those of the target, without overlap."""
    characters = list(text)
    wanted = list(target)
    found = 0
    place = 0
    while place < len(characters):
        if characters[place : place + len(wanted)] == wanted:
            found += 1
            place += len(wanted)
        else:
            place += 1
    return found


@implements("count", ELEMENTS)
def count_windows_within(text: str, target: Pattern, start: Any, end: Any = None, /) -> int:
    """The number of places within bounds where the characters are those of the target, without overlap."""
    listed = list(text)
    characters = listed[start:end]
    wanted = list(target)
    found = 0
    place = 0
    while place < len(characters):
        if characters[place : place + len(wanted)] == wanted:
            found += 1
            place += len(wanted)
        else:
            place += 1
    return found


@implements("in", ELEMENTS)
def contains_window(text: str, member: Pattern, /) -> bool:
    """Whether the characters somewhere are those of another string."""
    characters = list(text)
    wanted = list(member)
    for place in range(len(characters) - len(wanted) + 1):
        if characters[place : place + len(wanted)] == wanted:
            return True
    return False


@implements("not in", ELEMENTS)
def lacks_window(text: str, member: Pattern, /) -> bool:
    """Whether the characters nowhere are those of another string."""
    characters = list(text)
    wanted = list(member)
    for place in range(len(characters) - len(wanted) + 1):
        if characters[place : place + len(wanted)] == wanted:
            return False
    return True
