"""Splitting: pieces grow by one character, or are joined from a list of them."""

from __future__ import annotations

from rewrite.string_methods.preconditions import Char, Count, Pattern
from rewrite.string_methods.reference import ELEMENTS, implements


@implements("split", ELEMENTS)
@implements("rsplit", ELEMENTS)
def split_blanks_elements(text: str, sep: None = None) -> list[str]:
    """The runs of characters that are no whitespace."""
    pieces = []
    piece = ""
    for character in text:
        if not character.isspace():
            piece += character
        elif piece:
            pieces.append(piece)
            piece = ""
    if piece:
        pieces.append(piece)
    return pieces


@implements("split", ELEMENTS)
@implements("rsplit", ELEMENTS)
def split_one_elements(text: str, sep: Char) -> list[str]:
    """The characters between occurrences of a character."""
    pieces = []
    piece = ""
    for character in text:
        if character == sep:
            pieces.append(piece)
            piece = ""
        else:
            piece += character
    pieces.append(piece)
    return pieces


@implements("split", ELEMENTS)
def split_elements(text: str, sep: Pattern) -> list[str]:
    """The characters between occurrences of a separator."""
    characters = list(text)
    wanted = list(sep)
    pieces = []
    piece = ""
    place = 0
    while place < len(characters):
        if characters[place : place + len(wanted)] == wanted:
            pieces.append(piece)
            piece = ""
            place += len(wanted)
        else:
            piece += characters[place]
            place += 1
    pieces.append(piece)
    return pieces


@implements("split", ELEMENTS)
def split_some_elements(text: str, sep: Pattern, maxsplit: Count) -> list[str]:
    """The characters between the first `maxsplit` separators, and the rest; all if `maxsplit` is negative."""
    characters = list(text)
    wanted = list(sep)
    pieces = []
    piece = ""
    place = 0
    remaining = maxsplit
    while place < len(characters):
        if remaining != 0 and characters[place : place + len(wanted)] == wanted:
            pieces.append(piece)
            piece = ""
            place += len(wanted)
            remaining -= 1
        else:
            piece += characters[place]
            place += 1
    pieces.append(piece)
    return pieces


@implements("rsplit", ELEMENTS)
def rsplit_some_elements(text: str, sep: Pattern, maxsplit: Count = -1) -> list[str]:
    """The characters between the last `maxsplit` separators, and the rest; all if `maxsplit` is negative."""
    characters = list(text)
    wanted = list(sep)
    pieces: list[str] = []
    piece = ""
    end = len(characters)
    remaining = maxsplit
    while end > 0:
        start = end - len(wanted)
        if remaining != 0 and start >= 0 and characters[start:end] == wanted:
            pieces.insert(0, piece)
            piece = ""
            end = start
            remaining -= 1
        else:
            piece = characters[end - 1] + piece
            end -= 1
    pieces.insert(0, piece)
    return pieces


@implements("partition", ELEMENTS)
def partition_elements(text: str, sep: Pattern, /) -> tuple[str, str, str]:
    """The characters before the first separator, the separator, and the rest."""
    characters = list(text)
    wanted = list(sep)
    for place in range(len(characters) - len(wanted) + 1):
        if characters[place : place + len(wanted)] == wanted:
            before = "".join(characters[:place])
            rest = "".join(characters[place + len(wanted) :])
            return (before, sep, rest)
    return (text, "", "")


@implements("rpartition", ELEMENTS)
def rpartition_elements(text: str, sep: Pattern, /) -> tuple[str, str, str]:
    """The characters before the last separator, the separator, and the rest."""
    characters = list(text)
    wanted = list(sep)
    for place in range(len(characters) - len(wanted), -1, -1):
        if characters[place : place + len(wanted)] == wanted:
            before = "".join(characters[:place])
            rest = "".join(characters[place + len(wanted) :])
            return (before, sep, rest)
    return ("", "", text)
