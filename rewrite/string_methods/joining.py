"""join: piece by piece."""

from __future__ import annotations

from typing import Literal

from rewrite.string_methods.preconditions import Characters, Texts, TextTuple
from rewrite.string_methods.reference import spells


@spells("join")
def join_all(text: Literal[""], pieces: Texts, /) -> str:
    """The pieces, one after the other."""
    result = ""
    for piece in pieces:
        result += piece
    return result


@spells("join")
def join(text: str, pieces: Texts, /) -> str:
    """Each piece with the text before it, but for the first."""
    result = ""
    for place, piece in enumerate(pieces):
        if place > 0:
            piece = text + piece
        result += piece
    return result


@spells("join")
def join_tuple(text: str, pieces: TextTuple, /) -> str:
    """The same with a tuple."""
    result = ""
    for place, piece in enumerate(pieces):
        if place > 0:
            piece = text + piece
        result += piece
    return result


@spells("join")
def join_characters(text: str, pieces: Characters, /) -> str:
    """Each character with the text before it, but for the first."""
    result = ""
    for place, character in enumerate(pieces):
        if place > 0:
            character = text + character
        result += character
    return result
