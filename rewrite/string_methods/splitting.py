"""split, rsplit, splitlines, partition and rpartition: the text is cut where a separator is met."""

from __future__ import annotations

from typing import Literal

from rewrite.string_methods.preconditions import Char, Count, Pattern
from rewrite.string_methods.reference import spells


@spells("split")
@spells("rsplit")
def split_blanks(text: str, sep: None = None) -> list[str]:
    """The runs of characters that are no white space."""
    pieces = []
    start = 0
    for place, character in enumerate(text):
        if character.isspace():
            if start < place:
                pieces.append(text[start:place])
            start = place + 1
    if start < len(text):
        pieces.append(text[start:])
    return pieces


@spells("split")
@spells("rsplit")
def split_at_one(text: str, sep: Char) -> list[str]:
    """The texts between a character."""
    pieces = []
    start = 0
    for place, character in enumerate(text):
        if character == sep:
            pieces.append(text[start:place])
            start = place + 1
    pieces.append(text[start:])
    return pieces


@spells("split")
def split_at(text: str, sep: Pattern) -> list[str]:
    """The texts between a separator."""
    pieces = []
    start = 0
    letters = list(text)
    place = -1
    while sep[0] in letters[place + 1 :]:
        place = letters.index(sep[0], place + 1)
        part = text[place : place + len(sep)]
        if part == sep and place >= start:
            pieces.append(text[start:place])
            start = place + len(sep)
    pieces.append(text[start:])
    return pieces


@spells("split")
def split_blanks_some(text: str, sep: None = None, maxsplit: Count = -1) -> list[str]:
    """The runs of characters that are no white space, but so many at most; what is left stays in one piece."""
    pieces = []
    piece = ""
    remaining = maxsplit
    for place, character in enumerate(text):
        if character.isspace():
            if piece:
                pieces.append(piece)
                piece = ""
                remaining -= 1
        elif piece == "" and remaining == 0:
            piece = text[place:]
            break
        else:
            piece += character
    if piece:
        pieces.append(piece)
    return pieces


@spells("split")
def split_at_some(text: str, sep: Pattern, maxsplit: Count) -> list[str]:
    """The texts between the first so many separators, and the rest."""
    pieces = []
    start = 0
    remaining = maxsplit
    letters = list(text)
    place = -1
    while sep[0] in letters[place + 1 :]:
        place = letters.index(sep[0], place + 1)
        part = text[place : place + len(sep)]
        if part == sep and place >= start and remaining != 0:
            pieces.append(text[start:place])
            start = place + len(sep)
            remaining -= 1
    pieces.append(text[start:])
    return pieces


@spells("rsplit")
def rsplit_at(text: str, sep: Pattern, maxsplit: Count = -1) -> list[str]:
    """The texts between the last so many separators, from the right, and the rest."""
    pieces: list[str] = []
    end = len(text)
    remaining = maxsplit
    for place, character in reversed(list(enumerate(text))):
        if character == sep[0]:
            part = text[place : place + len(sep)]
            if part == sep and place + len(sep) <= end and remaining != 0:
                pieces.insert(0, text[place + len(sep) : end])
                end = place
                remaining -= 1
    pieces.insert(0, text[:end])
    return pieces


@spells("rsplit")
def rsplit_blanks_some(text: str, sep: None = None, maxsplit: Count = -1) -> list[str]:
    """The runs of characters that are no white space from the right, but so many at most."""
    pieces: list[str] = []
    piece = ""
    remaining = maxsplit
    for place, character in enumerate(reversed(text)):
        if character.isspace():
            if piece:
                pieces.insert(0, piece)
                piece = ""
                remaining -= 1
        elif piece == "" and remaining == 0:
            piece = text[: len(text) - place]
            break
        else:
            piece = character + piece
    if piece:
        pieces.insert(0, piece)
    return pieces


@spells("splitlines")
def splitlines(text: str, keepends: Literal[False] = False) -> list[str]:
    """The lines, without what ends them."""
    pieces = []
    piece = ""
    before = ""
    for character in text:
        if before == "\r" and character == "\n":
            before = ""
            continue
        before = character
        if character.splitlines() == [""]:
            pieces.append(piece)
            piece = ""
        else:
            piece += character
    if piece:
        pieces.append(piece)
    return pieces


@spells("partition")
def partition_at_one(text: str, sep: Char, /) -> tuple[str, str, str]:
    """The text before the first of a character, the character, and the rest."""
    for place, character in enumerate(text):
        if character == sep:
            return (text[:place], sep, text[place + 1 :])
    return (text, "", "")


@spells("partition")
def partition(text: str, sep: Pattern, /) -> tuple[str, str, str]:
    """The text before the first separator, the separator, and the rest."""
    letters = list(text)
    place = -1
    while sep[0] in letters[place + 1 :]:
        place = letters.index(sep[0], place + 1)
        part = text[place : place + len(sep)]
        if part == sep:
            return (text[:place], sep, text[place + len(sep) :])
    return (text, "", "")


@spells("rpartition")
def rpartition_at_one(text: str, sep: Char, /) -> tuple[str, str, str]:
    """The text before the last of a character, the character, and the rest."""
    found = -1
    for place, character in enumerate(text):
        if character == sep:
            found = place
    if found == -1:
        return ("", "", text)
    return (text[:found], sep, text[found + 1 :])


@spells("rpartition")
def rpartition(text: str, sep: Pattern, /) -> tuple[str, str, str]:
    """The text before the last separator, the separator, and the rest."""
    found = -1
    letters = list(text)
    place = -1
    while sep[0] in letters[place + 1 :]:
        place = letters.index(sep[0], place + 1)
        part = text[place : place + len(sep)]
        if part == sep:
            found = place
    if found == -1:
        return ("", "", text)
    return (text[:found], sep, text[found + len(sep) :])
