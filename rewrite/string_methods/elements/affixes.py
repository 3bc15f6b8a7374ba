"""The ends of a string: one character after the other is compared with those of an affix."""

from __future__ import annotations

from rewrite.string_methods.preconditions import Pattern, TextTuple
from rewrite.string_methods.reference import ELEMENTS, implements


@implements("startswith", ELEMENTS)
def starts_with_elements(text: str, prefix: str, /) -> bool:
    """Whether the first characters are those of a prefix."""
    characters = list(text)
    wanted = list(prefix)
    for own, character in zip(characters, wanted):
        if own != character:
            return False
    return len(characters) >= len(wanted)


@implements("startswith", ELEMENTS)
def starts_with_any_elements(text: str, prefixes: TextTuple, /) -> bool:
    """Whether the first characters are those of one of several prefixes."""
    characters = list(text)
    for prefix in prefixes:
        wanted = list(prefix)
        same = len(characters) >= len(wanted)
        for own, character in zip(characters, wanted):
            if own != character:
                same = False
                break
        if same:
            return True
    return False


@implements("endswith", ELEMENTS)
def ends_with_elements(text: str, suffix: str, /) -> bool:
    """Whether the last characters are those of a suffix."""
    characters = list(text)
    wanted = list(suffix)
    characters.reverse()
    wanted.reverse()
    for own, character in zip(characters, wanted):
        if own != character:
            return False
    return len(characters) >= len(wanted)


@implements("endswith", ELEMENTS)
def ends_with_any_elements(text: str, suffixes: TextTuple, /) -> bool:
    """Whether the last characters are those of one of several suffixes."""
    characters = list(text)
    characters.reverse()
    for suffix in suffixes:
        wanted = list(suffix)
        wanted.reverse()
        same = len(characters) >= len(wanted)
        for own, character in zip(characters, wanted):
            if own != character:
                same = False
                break
        if same:
            return True
    return False


@implements("removeprefix", ELEMENTS)
def remove_prefix_elements(text: str, prefix: Pattern, /) -> str:
    """Removes the characters of a prefix, one in each round, if the first characters are those."""
    kept = list(text)
    for character in prefix:
        if not kept or kept[0] != character:
            return text
        kept.pop(0)
    return "".join(kept)


@implements("removesuffix", ELEMENTS)
def remove_suffix_elements(text: str, suffix: Pattern, /) -> str:
    """Removes the characters of a suffix, one in each round, if the last characters are those."""
    kept = list(text)
    wanted = list(suffix)
    wanted.reverse()
    for character in wanted:
        if not kept or kept.pop() != character:
            return text
    return "".join(kept)
