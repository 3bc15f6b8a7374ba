"""References for split, rsplit, splitlines, partition and rpartition: they slice at each separator."""

from __future__ import annotations

from typing import Literal

from rewrite.string_methods.preconditions import Char, Count, Pattern
from rewrite.string_methods.reference import implements


@implements("split")
@implements("rsplit")
def split_blanks(text: str, sep: None = None) -> list[str]:
    """The runs of non-whitespace characters."""
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


@implements("split")
@implements("rsplit")
def split_at_one(text: str, sep: Char) -> list[str]:
    """The substrings between occurrences of a character."""
    pieces = []
    start = 0
    for place, character in enumerate(text):
        if character == sep:
            pieces.append(text[start:place])
            start = place + 1
    pieces.append(text[start:])
    return pieces


@implements("split")
def split_at(text: str, sep: Pattern) -> list[str]:
    """The substrings between occurrences of a separator."""
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


@implements("split")
def split_blanks_some(text: str, sep: None = None, maxsplit: Count = -1) -> list[str]:
    """The runs of non-whitespace characters, with at most `maxsplit` splits; the rest is one piece."""
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


@implements("split")
def split_at_some(text: str, sep: Pattern, maxsplit: Count) -> list[str]:
    """The substrings between the first `maxsplit` separators, and the rest."""
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


@implements("rsplit")
def rsplit_at(text: str, sep: Pattern, maxsplit: Count = -1) -> list[str]:
    """The substrings between the last `maxsplit` separators, and the rest."""
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


@implements("rsplit")
def rsplit_blanks_some(text: str, sep: None = None, maxsplit: Count = -1) -> list[str]:
    """The runs of non-whitespace characters, with at most `maxsplit` splits from the right."""
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


@implements("splitlines")
def splitlines(text: str, keepends: Literal[False] = False) -> list[str]:
    """The lines without their line breaks."""
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


@implements("partition")
def partition_at_one(text: str, sep: Char, /) -> tuple[str, str, str]:
    """The string before the first occurrence of a character, the character, and the rest."""
    for place, character in enumerate(text):
        if character == sep:
            return (text[:place], sep, text[place + 1 :])
    return (text, "", "")


@implements("partition")
def partition(text: str, sep: Pattern, /) -> tuple[str, str, str]:
    """The string before the first separator, the separator, and the rest."""
    letters = list(text)
    place = -1
    while sep[0] in letters[place + 1 :]:
        place = letters.index(sep[0], place + 1)
        part = text[place : place + len(sep)]
        if part == sep:
            return (text[:place], sep, text[place + len(sep) :])
    return (text, "", "")


@implements("rpartition")
def rpartition_at_one(text: str, sep: Char, /) -> tuple[str, str, str]:
    """The string before the last occurrence of a character, the character, and the rest."""
    found = -1
    for place, character in enumerate(text):
        if character == sep:
            found = place
    if found == -1:
        return ("", "", text)
    return (text[:found], sep, text[found + 1 :])


@implements("rpartition")
def rpartition(text: str, sep: Pattern, /) -> tuple[str, str, str]:
    """The string before the last separator, the separator, and the rest."""
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
