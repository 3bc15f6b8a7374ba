"""Idioms for join: a string that starts as the first piece grows by one piece after the other.

They apply if the calls show that there is a first piece. Without a separator, `join_all` needs no such idiom.
"""

from __future__ import annotations

from typing import Annotated

from rewrite.string_methods.preconditions import SHOWN, TEXTS, Pattern
from rewrite.string_methods.reference import PLANNED_IDIOMS, implements

SomeTexts = Annotated[list[str], TEXTS, SHOWN]


@implements("join", PLANNED_IDIOMS)
def join_rest(text: Pattern, pieces: SomeTexts, /) -> str:
    """The first piece, then the separator and the piece for each of the others."""
    joined = pieces[0]
    for piece in pieces[1:]:
        joined += text + piece
    return joined
