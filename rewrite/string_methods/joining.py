"""References for join: they append one piece after the other."""

from __future__ import annotations

from typing import Literal

from rewrite.string_methods.preconditions import Characters, Texts, TextTuple
from rewrite.string_methods.reference import implements


@implements("join")
def join_all(text: Literal[""], pieces: Texts, /) -> str:
    """The pieces concatenated."""
    result = ""
    for piece in pieces:
        result += piece
    return result


@implements("join")
def join(text: str, pieces: Texts, /) -> str:
    """The pieces, with the separator before each piece but the first."""
    result = ""
    for place, piece in enumerate(pieces):
        if place > 0:
            piece = text + piece
        result += piece
    return result


@implements("join")
def join_tuple(text: str, pieces: TextTuple, /) -> str:
    """The pieces of a tuple, with the separator before each piece but the first."""
    result = ""
    for place, piece in enumerate(pieces):
        if place > 0:
            piece = text + piece
        result += piece
    return result


@implements("join")
def join_characters(text: str, pieces: Characters, /) -> str:
    """The characters, with the separator before each but the first."""
    result = ""
    for place, character in enumerate(pieces):
        if place > 0:
            character = text + character
        result += character
    return result
