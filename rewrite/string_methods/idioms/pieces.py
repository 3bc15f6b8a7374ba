"""Idioms for replace, split with a limit, and partition: the pieces are shown as a list."""

from __future__ import annotations

from typing import Annotated

from rewrite.string_methods.preconditions import EMPTY, Pattern, Positive
from rewrite.string_methods.reference import IDIOMS, PLANNED_IDIOMS, implements

Nothing = Annotated[str, EMPTY]


@implements("replace", IDIOMS)
def replace_between_pieces(text: str, old: Pattern, new: str, /) -> str:
    """Splits at `old` and joins with `new`."""
    pieces = text.split(old)
    return new.join(pieces)


@implements("replace", IDIOMS)
def replace_nothing(text: str, old: Nothing, new: str, /) -> str:
    """Puts `new` before, between and after all characters."""
    pieces = ["", *text, ""]
    return new.join(pieces)


@implements("split", PLANNED_IDIOMS)
def split_then_join_rest(text: str, sep: Pattern, maxsplit: Positive) -> list[str]:
    """Splits everywhere, then joins what is beyond the limit."""
    pieces = text.split(sep)
    if len(pieces) > maxsplit:
        pieces[maxsplit:] = [sep.join(pieces[maxsplit:])]
    return pieces


@implements("rsplit", PLANNED_IDIOMS)
def rsplit_then_join_rest(text: str, sep: Pattern, maxsplit: Positive) -> list[str]:
    """Splits everywhere from the end, then joins what is beyond the limit."""
    pieces = text.rsplit(sep)
    if len(pieces) > maxsplit:
        pieces[:-maxsplit] = [sep.join(pieces[:-maxsplit])]
    return pieces


@implements("partition", IDIOMS)
def partition_by_split(text: str, separator: Pattern, /) -> tuple[str, str, str]:
    """The pieces before and after the first separator."""
    pieces = text.split(separator, 1)
    if len(pieces) == 1:
        return (text, "", "")
    return (pieces[0], separator, pieces[1])


@implements("rpartition", IDIOMS)
def rpartition_by_split(text: str, separator: Pattern, /) -> tuple[str, str, str]:
    """The pieces before and after the last separator."""
    pieces = text.rsplit(separator, 1)
    if len(pieces) == 1:
        return ("", "", text)
    return (pieces[0], separator, pieces[1])
