"""`in` and `not in` for a text in a text: one character, or a longer one, compared where its first character stands."""

from __future__ import annotations

from rewrite.string_methods.preconditions import Char
from rewrite.string_methods.reference import PAPER, spells


@spells("in", PAPER)
def contains(text: str, target: Char, /) -> bool:
    """Whether a character is in a text."""
    for character in text:
        if character == target:
            return True
    return False


@spells("not in", PAPER)
def lacks(text: str, target: Char, /) -> bool:
    """Whether a character is not in a text."""
    for character in text:
        if character == target:
            return False
    return True


@spells("in")
def contains_text(text: str, target: str, /) -> bool:
    """Whether a text is in a text."""
    letters = list(text)
    place = -1
    while target[:1] in letters[place + 1 :]:
        place = letters.index(target[:1], place + 1)
        part = text[place : place + len(target)]
        if part == target:
            return True
    return target == ""


@spells("not in")
def lacks_text(text: str, target: str, /) -> bool:
    """Whether a text is not in a text."""
    letters = list(text)
    place = -1
    while target[:1] in letters[place + 1 :]:
        place = letters.index(target[:1], place + 1)
        part = text[place : place + len(target)]
        if part == target:
            return False
    return target != ""
