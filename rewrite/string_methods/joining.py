"""join: piece by piece."""

from __future__ import annotations

from typing import Literal

from rewrite.string_methods.preconditions import Texts
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
    """The pieces, one after the other, and the text between them."""
    result = ""
    for place, piece in enumerate(pieces):
        if place > 0:
            result += text
        result += piece
    return result
