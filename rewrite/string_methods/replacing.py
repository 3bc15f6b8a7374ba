"""References for replace, translate and expandtabs: they append to a result."""

from __future__ import annotations

from rewrite.string_methods.preconditions import (
    Char,
    Codes,
    CodesOrNone,
    Count,
    Pattern,
    Table,
    TextsOrNone,
    Width,
)
from rewrite.string_methods.reference import PAPER, implements


@implements("replace", PAPER)
def replace(text: str, old: Char, new: str, /) -> str:
    """Every occurrence of a character replaced by a string."""
    result = ""
    start = 0
    for place, character in enumerate(text):
        if character == old:
            piece = text[start:place]
            result += piece
            result += new
            start = place + 1
    rest = text[start:]
    result += rest
    return result


@implements("replace", PAPER)
def replace_some(text: str, old: Char, new: str, number: Count, /) -> str:
    """The first `number` occurrences of a character replaced by a string; all if `number` is negative."""
    result = ""
    start = 0
    remaining = number
    for place, character in enumerate(text):
        if character == old:
            if remaining != 0:
                piece = text[start:place]
                result += piece
                result += new
                start = place + 1
                remaining -= 1
    rest = text[start:]
    result += rest
    return result


@implements("replace")
def replace_text(text: str, old: Pattern, new: str, /) -> str:
    """Every occurrence of a string replaced by another."""
    result = ""
    start = 0
    letters = list(text)
    place = -1
    while old[0] in letters[place + 1 :]:
        place = letters.index(old[0], place + 1)
        part = text[place : place + len(old)]
        if part == old and place >= start:
            result += text[start:place] + new
            start = place + len(old)
    return result + text[start:]


@implements("replace")
def replace_text_some(text: str, old: Pattern, new: str, number: Count, /) -> str:
    """The first `number` occurrences of a string replaced by another; all if `number` is negative."""
    result = ""
    start = 0
    remaining = number
    letters = list(text)
    place = -1
    while old[0] in letters[place + 1 :]:
        place = letters.index(old[0], place + 1)
        part = text[place : place + len(old)]
        if part == old and place >= start and remaining != 0:
            result += text[start:place] + new
            start = place + len(old)
            remaining -= 1
    return result + text[start:]


@implements("translate")
def translate_to_codes(text: str, table: Codes, /) -> str:
    """Each character replaced by way of a table from code points to code points."""
    result = ""
    for character in text:
        number = ord(character)
        result += chr(table.get(number, number))
    return result


@implements("translate")
def translate_or_drop(text: str, table: CodesOrNone, /) -> str:
    """Each character replaced by way of a table from code points to code points; None deletes it."""
    result = ""
    for character in text:
        number = ord(character)
        entry = table.get(number, number)
        if entry is not None:
            result += chr(entry)
    return result


@implements("translate")
def translate_to_texts(text: str, table: TextsOrNone, /) -> str:
    """Each character replaced by way of a table from code points to strings; None deletes it."""
    result = ""
    for character in text:
        entry = table.get(ord(character), character)
        if entry is not None:
            result += entry
    return result


@implements("translate")
def translate(text: str, table: Table, /) -> str:
    """Each character replaced by way of a table from code points to code points, strings or None."""
    result = ""
    for character in text:
        entry = table.get(ord(character), character)
        if type(entry) is int:
            if entry < 0 or entry > 1114111:
                raise ValueError("character mapping must be in range(0x110000)")
            result += chr(entry)
        elif type(entry) is str:
            result += entry
    return result


@implements("expandtabs")
def expandtabs(text: str, tabsize: Width = 8) -> str:
    """Each tab replaced by spaces up to the next column that is a multiple of `tabsize`."""
    result = ""
    column = 0
    for character in text:
        if character == "\t":
            if tabsize > 0:
                gap = tabsize - column % tabsize
                result += " " * gap
                column += gap
        else:
            result += character
            column += 1
            if character == "\n" or character == "\r":
                column = 0
    return text if result == text else result
