"""Idioms for affixes: the first or last characters are compared with those of the affix, as lists."""

from __future__ import annotations

from rewrite.string_methods.preconditions import Pattern
from rewrite.string_methods.reference import IDIOMS, implements


@implements("startswith", IDIOMS)
def starts_with_listed(text: str, prefix: str, /) -> bool:
    """Whether the first characters are those of a prefix."""
    characters = list(text)
    wanted = list(prefix)
    return characters[: len(wanted)] == wanted


@implements("endswith", IDIOMS)
def ends_with_listed(text: str, suffix: str, /) -> bool:
    """Whether the last characters are those of a suffix."""
    characters = list(text)
    wanted = list(suffix)
    return characters[len(characters) - len(wanted) :] == wanted


@implements("removeprefix", IDIOMS)
def remove_prefix_listed(text: str, prefix: Pattern, /) -> str:
    """The string without its first characters, if they are those of a prefix."""
    characters = list(text)
    wanted = list(prefix)
    if characters[: len(wanted)] == wanted:
        return "".join(characters[len(wanted) :])
    return text


@implements("removesuffix", IDIOMS)
def remove_suffix_listed(text: str, suffix: Pattern, /) -> str:
    """The string without its last characters, if they are those of a suffix."""
    characters = list(text)
    wanted = list(suffix)
    start = len(characters) - len(wanted)
    if characters[start:] == wanted:
        return "".join(characters[:start])
    return text
