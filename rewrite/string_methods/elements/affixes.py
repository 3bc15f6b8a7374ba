"""The ends of a string: characters of its list are compared with those of an affix."""

from __future__ import annotations

from typing import Any

from rewrite.string_methods.preconditions import Pattern, TextTuple
from rewrite.string_methods.reference import ELEMENTS, implements


@implements("startswith", ELEMENTS)
def starts_with_elements(text: str, prefix: str, /) -> bool:
    """Whether the first characters are those of a prefix."""
    characters = list(text)
    wanted = list(prefix)
    first = characters[: len(wanted)]
    return first == wanted


@implements("startswith", ELEMENTS)
def starts_with_any_elements(text: str, prefixes: TextTuple, /) -> bool:
    """Whether the first characters are those of one of several prefixes."""
    characters = list(text)
    for prefix in prefixes:
        wanted = list(prefix)
        first = characters[: len(wanted)]
        if first == wanted:
            return True
    return False


@implements("startswith", ELEMENTS)
def starts_with_within_elements(text: str, prefix: Pattern, start: Any, end: Any = None, /) -> bool:
    """Whether the first characters within bounds are those of a prefix that is not empty."""
    listed = list(text)
    characters = listed[start:end]
    wanted = list(prefix)
    first = characters[: len(wanted)]
    return first == wanted


@implements("endswith", ELEMENTS)
def ends_with_elements(text: str, suffix: str, /) -> bool:
    """Whether the last characters are those of a suffix."""
    characters = list(text)
    wanted = list(suffix)
    start = len(characters) - len(wanted)
    if start < 0:
        return False
    last = characters[start:]
    return last == wanted


@implements("endswith", ELEMENTS)
def ends_with_any_elements(text: str, suffixes: TextTuple, /) -> bool:
    """Whether the last characters are those of one of several suffixes."""
    characters = list(text)
    for suffix in suffixes:
        wanted = list(suffix)
        start = len(characters) - len(wanted)
        if start >= 0 and characters[start:] == wanted:
            return True
    return False


@implements("endswith", ELEMENTS)
def ends_with_within_elements(text: str, suffix: Pattern, start: Any, end: Any = None, /) -> bool:
    """Whether the last characters within bounds are those of a suffix that is not empty."""
    listed = list(text)
    characters = listed[start:end]
    wanted = list(suffix)
    first = len(characters) - len(wanted)
    if first < 0:
        return False
    last = characters[first:]
    return last == wanted


@implements("removeprefix", ELEMENTS)
def remove_prefix_elements(text: str, prefix: Pattern, /) -> str:
    """The string without its first characters, if they are those of a prefix."""
    characters = list(text)
    wanted = list(prefix)
    first = characters[: len(wanted)]
    if first == wanted:
        return "".join(characters[len(wanted) :])
    return text


@implements("removesuffix", ELEMENTS)
def remove_suffix_elements(text: str, suffix: Pattern, /) -> str:
    """The string without its last characters, if they are those of a suffix."""
    characters = list(text)
    wanted = list(suffix)
    start = len(characters) - len(wanted)
    if start >= 0 and characters[start:] == wanted:
        return "".join(characters[:start])
    return text
