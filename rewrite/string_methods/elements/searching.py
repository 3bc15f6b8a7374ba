"""Searching a string: a window moves over the characters, and each state shows it."""

from __future__ import annotations

from typing import Any

from rewrite.string_methods.preconditions import Pattern
from rewrite.string_methods.reference import ELEMENTS, implements


@implements("find", ELEMENTS)
def find_window(text: str, target: Pattern, /) -> int:
    """The first place where the window is the target, or -1."""
    wanted = list(target)
    window: list[str] = []
    for place, character in enumerate(text):
        window.append(character)
        if window == wanted:
            return place - len(wanted) + 1
        if len(window) == len(wanted):
            window.pop(0)
    return -1


@implements("find", ELEMENTS)
def find_window_within(text: str, target: Pattern, start: Any, end: Any = None, /) -> int:
    """The first place within bounds where the window is the target, or -1."""
    characters = list(text)
    wanted = list(target)
    first, last, _ = slice(start, end).indices(len(characters))
    window: list[str] = []
    for place in range(first, last):
        window.append(characters[place])
        if window == wanted:
            return place - len(wanted) + 1
        if len(window) == len(wanted):
            window.pop(0)
    return -1


@implements("rfind", ELEMENTS)
def rfind_window(text: str, target: Pattern, /) -> int:
    """The last place where the window is the target, or -1."""
    wanted = list(target)
    window: list[str] = []
    found = -1
    for place, character in enumerate(text):
        window.append(character)
        if window == wanted:
            found = place - len(wanted) + 1
        if len(window) == len(wanted):
            window.pop(0)
    return found


@implements("rfind", ELEMENTS)
def rfind_window_within(text: str, target: Pattern, start: Any, end: Any = None, /) -> int:
    """The last place within bounds where the window is the target, or -1."""
    characters = list(text)
    wanted = list(target)
    first, last, _ = slice(start, end).indices(len(characters))
    window: list[str] = []
    found = -1
    for place in range(first, last):
        window.append(characters[place])
        if window == wanted:
            found = place - len(wanted) + 1
        if len(window) == len(wanted):
            window.pop(0)
    return found


@implements("index", ELEMENTS)
def index_window(text: str, target: Pattern, /) -> int:
    """The first place where the window is the target, or ValueError."""
    wanted = list(target)
    window: list[str] = []
    for place, character in enumerate(text):
        window.append(character)
        if window == wanted:
            return place - len(wanted) + 1
        if len(window) == len(wanted):
            window.pop(0)
    raise ValueError("substring not found")


@implements("index", ELEMENTS)
def index_window_within(text: str, target: Pattern, start: Any, end: Any = None, /) -> int:
    """The first place within bounds where the window is the target, or ValueError."""
    characters = list(text)
    wanted = list(target)
    first, last, _ = slice(start, end).indices(len(characters))
    window: list[str] = []
    for place in range(first, last):
        window.append(characters[place])
        if window == wanted:
            return place - len(wanted) + 1
        if len(window) == len(wanted):
            window.pop(0)
    raise ValueError("substring not found")


@implements("rindex", ELEMENTS)
def rindex_window(text: str, target: Pattern, /) -> int:
    """The last place where the window is the target, or ValueError."""
    wanted = list(target)
    window: list[str] = []
    found = -1
    for place, character in enumerate(text):
        window.append(character)
        if window == wanted:
            found = place - len(wanted) + 1
        if len(window) == len(wanted):
            window.pop(0)
    if found == -1:
        raise ValueError("substring not found")
    return found


@implements("rindex", ELEMENTS)
def rindex_window_within(text: str, target: Pattern, start: Any, end: Any = None, /) -> int:
    """The last place within bounds where the window is the target, or ValueError."""
    characters = list(text)
    wanted = list(target)
    first, last, _ = slice(start, end).indices(len(characters))
    window: list[str] = []
    found = -1
    for place in range(first, last):
        window.append(characters[place])
        if window == wanted:
            found = place - len(wanted) + 1
        if len(window) == len(wanted):
            window.pop(0)
    if found == -1:
        raise ValueError("substring not found")
    return found


@implements("count", ELEMENTS)
def count_windows(text: str, target: Pattern, /) -> int:
    """How often the window is the target, without overlap."""
    wanted = list(target)
    window: list[str] = []
    found = 0
    for character in text:
        window.append(character)
        if window == wanted:
            found += 1
            window.clear()
        elif len(window) == len(wanted):
            window.pop(0)
    return found


@implements("count", ELEMENTS)
def count_windows_within(text: str, target: Pattern, start: Any, end: Any = None, /) -> int:
    """How often the window is the target within bounds, without overlap."""
    characters = list(text)
    wanted = list(target)
    first, last, _ = slice(start, end).indices(len(characters))
    window: list[str] = []
    found = 0
    for place in range(first, last):
        window.append(characters[place])
        if window == wanted:
            found += 1
            window.clear()
        elif len(window) == len(wanted):
            window.pop(0)
    return found


@implements("in", ELEMENTS)
def contains_window(text: str, member: Pattern, /) -> bool:
    """Whether the window is somewhere the other string."""
    wanted = list(member)
    window: list[str] = []
    for character in text:
        window.append(character)
        if window == wanted:
            return True
        if len(window) == len(wanted):
            window.pop(0)
    return False


@implements("not in", ELEMENTS)
def lacks_window(text: str, member: Pattern, /) -> bool:
    """Whether the window is nowhere the other string."""
    wanted = list(member)
    window: list[str] = []
    for character in text:
        window.append(character)
        if window == wanted:
            return False
        if len(window) == len(wanted):
            window.pop(0)
    return True
