"""replace, translate and expandtabs: the new text grows where something changes."""

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
from rewrite.string_methods.reference import PAPER, spells


@spells("replace", PAPER)
def replace(text: str, old: Char, new: str, /) -> str:
    """Every occurrence of a character replaced by a text."""
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


@spells("replace", PAPER)
def replace_some(text: str, old: Char, new: str, number: Count, /) -> str:
    """The first so many occurrences of a character replaced by a text; a negative number means all."""
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


@spells("replace")
def replace_text(text: str, old: Pattern, new: str, /) -> str:
    """Every occurrence of a text replaced by another."""
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


@spells("replace")
def replace_text_some(text: str, old: Pattern, new: str, number: Count, /) -> str:
    """The first so many occurrences of a text replaced by another; a negative number means all."""
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


@spells("translate")
def translate_to_codes(text: str, table: Codes, /) -> str:
    """Each character looked up in a table of numbers, by its own."""
    result = ""
    for character in text:
        number = ord(character)
        result += chr(table.get(number, number))
    return result


@spells("translate")
def translate_or_drop(text: str, table: CodesOrNone, /) -> str:
    """Each character looked up in a table of numbers, by its own; None leaves it out."""
    result = ""
    for character in text:
        number = ord(character)
        entry = table.get(number, number)
        if entry is not None:
            result += chr(entry)
    return result


@spells("translate")
def translate_to_texts(text: str, table: TextsOrNone, /) -> str:
    """Each character looked up in a table of texts, by its number; None leaves it out."""
    result = ""
    for character in text:
        entry = table.get(ord(character), character)
        if entry is not None:
            result += entry
    return result


@spells("translate")
def translate(text: str, table: Table, /) -> str:
    """Each character looked up in the table, by its number."""
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


@spells("expandtabs")
def expandtabs(text: str, tabsize: Width = 8) -> str:
    """Each tab replaced by the spaces up to the next column that `tabsize` divides."""
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
