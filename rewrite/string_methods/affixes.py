"""References for startswith, endswith, removeprefix and removesuffix: they compare an affix character by character."""

from __future__ import annotations

from typing import Any

from rewrite.string_methods.preconditions import Pattern, TextTuple
from rewrite.string_methods.reference import implements


@implements("startswith")
def startswith(text: str, prefix: str, /) -> bool:
    """Whether a string begins with another."""
    for own, character in zip(text, prefix):
        if own != character:
            return False
    return len(text) >= len(prefix)


@implements("startswith")
def startswith_any(text: str, prefixes: TextTuple, /) -> bool:
    """Whether a string begins with one of several."""
    for prefix in prefixes:
        same = len(text) >= len(prefix)
        for own, character in zip(text, prefix):
            if own != character:
                same = False
                break
        if same:
            return True
    return False


@implements("startswith")
def startswith_within(text: str, prefix: Pattern, start: Any, end: Any = None, /) -> bool:
    """Whether the string within bounds begins with another."""
    part = text[start:end]
    for own, character in zip(part, prefix):
        if own != character:
            return False
    return len(part) >= len(prefix)


@implements("endswith")
def endswith(text: str, suffix: str, /) -> bool:
    """Whether a string ends with another."""
    for own, character in zip(reversed(text), reversed(suffix)):
        if own != character:
            return False
    return len(text) >= len(suffix)


@implements("endswith")
def endswith_any(text: str, suffixes: TextTuple, /) -> bool:
    """Whether a string ends with one of several."""
    for suffix in suffixes:
        same = len(text) >= len(suffix)
        for own, character in zip(reversed(text), reversed(suffix)):
            if own != character:
                same = False
                break
        if same:
            return True
    return False


@implements("endswith")
def endswith_within(text: str, suffix: Pattern, start: Any, end: Any = None, /) -> bool:
    """Whether the string within bounds ends with another."""
    part = text[start:end]
    for own, character in zip(reversed(part), reversed(suffix)):
        if own != character:
            return False
    return len(part) >= len(suffix)


@implements("removeprefix")
def removeprefix(text: str, prefix: str, /) -> str:
    """The string without a prefix, if it has that prefix."""
    if len(text) < len(prefix):
        return text
    for own, character in zip(text, prefix):
        if own != character:
            return text
    return text[len(prefix) :]


@implements("removesuffix")
def removesuffix(text: str, suffix: str, /) -> str:
    """The string without a suffix, if it has that suffix."""
    if len(text) < len(suffix):
        return text
    for own, character in zip(reversed(text), reversed(suffix)):
        if own != character:
            return text
    return text[: len(text) - len(suffix)]
