"""References for `in` and `not in` on strings: they compare a longer target where its first character occurs."""

from __future__ import annotations

from rewrite.string_methods.preconditions import Char
from rewrite.string_methods.reference import PAPER, implements


@implements("in", PAPER)
def contains(text: str, target: Char, /) -> bool:
    """Whether a character is in a string."""
    for character in text:
        if character == target:
            return True
    return False


@implements("not in", PAPER)
def lacks(text: str, target: Char, /) -> bool:
    """Whether a character is not in a string."""
    for character in text:
        if character == target:
            return False
    return True


@implements("in")
def contains_text(text: str, target: str, /) -> bool:
    """Whether a string contains another."""
    letters = list(text)
    place = -1
    while target[:1] in letters[place + 1 :]:
        place = letters.index(target[:1], place + 1)
        part = text[place : place + len(target)]
        if part == target:
            return True
    return target == ""


@implements("not in")
def lacks_text(text: str, target: str, /) -> bool:
    """Whether a string does not contain another."""
    letters = list(text)
    place = -1
    while target[:1] in letters[place + 1 :]:
        place = letters.index(target[:1], place + 1)
        part = text[place : place + len(target)]
        if part == target:
            return False
    return target != ""
