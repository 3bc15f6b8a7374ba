"""startswith, endswith, removeprefix and removesuffix: the characters of an affix compared one by one."""

from __future__ import annotations

from typing import Any

from rewrite.string_methods.preconditions import Pattern, TextTuple
from rewrite.string_methods.reference import spells


@spells("startswith")
def startswith(text: str, prefix: str, /) -> bool:
    """Whether a text begins with another."""
    for own, character in zip(text, prefix):
        if own != character:
            return False
    return len(text) >= len(prefix)


@spells("startswith")
def startswith_any(text: str, prefixes: TextTuple, /) -> bool:
    """Whether a text begins with one of several."""
    for prefix in prefixes:
        same = len(text) >= len(prefix)
        for own, character in zip(text, prefix):
            if own != character:
                same = False
                break
        if same:
            return True
    return False


@spells("startswith")
def startswith_within(text: str, prefix: Pattern, start: Any, end: Any = None, /) -> bool:
    """Whether the text within bounds begins with another."""
    part = text[start:end]
    for own, character in zip(part, prefix):
        if own != character:
            return False
    return len(part) >= len(prefix)


@spells("endswith")
def endswith(text: str, suffix: str, /) -> bool:
    """Whether a text ends with another."""
    for own, character in zip(reversed(text), reversed(suffix)):
        if own != character:
            return False
    return len(text) >= len(suffix)


@spells("endswith")
def endswith_any(text: str, suffixes: TextTuple, /) -> bool:
    """Whether a text ends with one of several."""
    for suffix in suffixes:
        same = len(text) >= len(suffix)
        for own, character in zip(reversed(text), reversed(suffix)):
            if own != character:
                same = False
                break
        if same:
            return True
    return False


@spells("endswith")
def endswith_within(text: str, suffix: Pattern, start: Any, end: Any = None, /) -> bool:
    """Whether the text within bounds ends with another."""
    part = text[start:end]
    for own, character in zip(reversed(part), reversed(suffix)):
        if own != character:
            return False
    return len(part) >= len(suffix)


@spells("removeprefix")
def removeprefix(text: str, prefix: str, /) -> str:
    """The text without a prefix, where it begins with that."""
    if len(text) < len(prefix):
        return text
    for own, character in zip(text, prefix):
        if own != character:
            return text
    return text[len(prefix) :]


@spells("removesuffix")
def removesuffix(text: str, suffix: str, /) -> str:
    """The text without a suffix, where it ends with that."""
    if len(text) < len(suffix):
        return text
    for own, character in zip(reversed(text), reversed(suffix)):
        if own != character:
            return text
    return text[: len(text) - len(suffix)]
