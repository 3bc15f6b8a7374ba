"""Idioms for affixes: the first or last characters of a list are compared with those of the affix."""

from __future__ import annotations

from rewrite.string_methods.preconditions import Pattern
from rewrite.string_methods.reference import IDIOMS, implements


@implements("startswith", IDIOMS)
def starts_with_listed(text: str, prefix: str, /) -> bool:
    """Whether the first characters are those of a prefix."""
    characters = list(text)
    return characters[: len(prefix)] == list(prefix)


@implements("endswith", IDIOMS)
def ends_with_some_listed(text: str, suffix: Pattern, /) -> bool:
    """Whether the last characters are those of a suffix that is not empty."""
    characters = list(text)
    return characters[-len(suffix) :] == list(suffix)


@implements("endswith", IDIOMS)
def ends_with_listed(text: str, suffix: str, /) -> bool:
    """Whether the last characters are those of a suffix."""
    characters = list(text)
    return characters[len(characters) - len(suffix) :] == list(suffix)


@implements("removeprefix", IDIOMS)
def remove_prefix_listed(text: str, prefix: Pattern, /) -> str:
    """The string without its first characters, if they are those of a prefix."""
    characters = list(text)
    if characters[: len(prefix)] == list(prefix):
        return "".join(characters[len(prefix) :])
    return text


@implements("removesuffix", IDIOMS)
def remove_suffix_listed(text: str, suffix: Pattern, /) -> str:
    """The string without its last characters, if they are those of a suffix."""
    characters = list(text)
    start = len(characters) - len(suffix)
    if characters[start:] == list(suffix):
        return "".join(characters[:start])
    return text
