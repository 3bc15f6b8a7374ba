"""Splitting: pieces grow by one character, which a window releases if it is not the separator."""

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
    wanted = list(sep)
    window: list[str] = []
    pieces = []
    piece = ""
    for character in text:
        window.append(character)
        if window == wanted:
            pieces.append(piece)
            piece = ""
            window.clear()
        elif len(window) == len(wanted):
            piece += window.pop(0)
    piece += "".join(window)
    pieces.append(piece)
    return pieces


@implements("split", ELEMENTS)
def split_some_elements(text: str, sep: Pattern, maxsplit: Count) -> list[str]:
    """The characters between the first `maxsplit` separators, and the rest; all if `maxsplit` is negative."""
    wanted = list(sep)
    window: list[str] = []
    pieces = []
    piece = ""
    remaining = maxsplit
    for character in text:
        window.append(character)
        if window == wanted and remaining != 0:
            pieces.append(piece)
            piece = ""
            window.clear()
            remaining -= 1
        elif len(window) == len(wanted):
            piece += window.pop(0)
    piece += "".join(window)
    pieces.append(piece)
    return pieces


@implements("rsplit", ELEMENTS)
def rsplit_some_elements(text: str, sep: Pattern, maxsplit: Count = -1) -> list[str]:
    """The characters between the last `maxsplit` separators, and the rest; all if `maxsplit` is negative."""
    characters = list(text)
    wanted = list(sep)
    window: list[str] = []
    pieces: list[str] = []
    piece = ""
    remaining = maxsplit
    for place in range(len(characters) - 1, -1, -1):
        window.insert(0, characters[place])
        if window == wanted and remaining != 0:
            pieces.insert(0, piece)
            piece = ""
            window.clear()
            remaining -= 1
        elif len(window) == len(wanted):
            piece = window.pop() + piece
    piece = "".join(window) + piece
    pieces.insert(0, piece)
    return pieces


@implements("partition", ELEMENTS)
def partition_elements(text: str, sep: Pattern, /) -> tuple[str, str, str]:
    """The characters before the first separator, the separator, and the rest."""
    wanted = list(sep)
    window: list[str] = []
    before = ""
    rest = ""
    found = False
    for character in text:
        if found:
            rest += character
        else:
            window.append(character)
            if window == wanted:
                found = True
            elif len(window) == len(wanted):
                before += window.pop(0)
    if found:
        return (before, sep, rest)
    return (text, "", "")


@implements("rpartition", ELEMENTS)
def rpartition_elements(text: str, sep: Pattern, /) -> tuple[str, str, str]:
    """The characters before the last separator, the separator, and the rest."""
    characters = list(text)
    wanted = list(sep)
    window: list[str] = []
    before = ""
    rest = ""
    found = False
    for place in range(len(characters) - 1, -1, -1):
        if found:
            before = characters[place] + before
        else:
            window.insert(0, characters[place])
            if window == wanted:
                found = True
            elif len(window) == len(wanted):
                rest = window.pop() + rest
    if found:
        return (before, sep, rest)
    return ("", "", text)
