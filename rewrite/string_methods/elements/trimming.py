"""Trimming: characters leave the ends of a list, one in each round."""

from __future__ import annotations

from rewrite.string_methods.reference import ELEMENTS, implements


@implements("lstrip", ELEMENTS)
def lstrip_elements(text: str, characters: None = None, /) -> str:
    """Removes leading whitespace."""
    kept = list(text)
    while kept and kept[0].isspace():
        kept.pop(0)
    result = "".join(kept)
    return text if result == text else result


@implements("lstrip", ELEMENTS)
def lstrip_any_elements(text: str, characters: str, /) -> str:
    """Removes leading characters of a set."""
    kept = list(text)
    gone = list(characters)
    while kept and kept[0] in gone:
        kept.pop(0)
    result = "".join(kept)
    return text if result == text else result


@implements("rstrip", ELEMENTS)
def rstrip_elements(text: str, characters: None = None, /) -> str:
    """Removes trailing whitespace."""
    kept = list(text)
    while kept and kept[len(kept) - 1].isspace():
        kept.pop()
    result = "".join(kept)
    return text if result == text else result


@implements("rstrip", ELEMENTS)
def rstrip_any_elements(text: str, characters: str, /) -> str:
    """Removes trailing characters of a set."""
    kept = list(text)
    gone = list(characters)
    while kept and kept[len(kept) - 1] in gone:
        kept.pop()
    result = "".join(kept)
    return text if result == text else result


@implements("strip", ELEMENTS)
def strip_elements(text: str, characters: None = None, /) -> str:
    """Removes leading, then trailing whitespace."""
    kept = list(text)
    while kept and kept[0].isspace():
        kept.pop(0)
    while kept and kept[len(kept) - 1].isspace():
        kept.pop()
    result = "".join(kept)
    return text if result == text else result


@implements("strip", ELEMENTS)
def strip_any_elements(text: str, characters: str, /) -> str:
    """Removes leading, then trailing characters of a set."""
    kept = list(text)
    gone = list(characters)
    while kept and kept[0] in gone:
        kept.pop(0)
    while kept and kept[len(kept) - 1] in gone:
        kept.pop()
    result = "".join(kept)
    return text if result == text else result
