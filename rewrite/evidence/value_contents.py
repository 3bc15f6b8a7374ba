"""What the values of a program's expressions hold: the facts of `rewrite.evidence.assumptions.CONTENTS`.

It is loaded in the sandbox worker, so it needs only the standard library. No code of the program runs: types are
compared by identity, and only exact builtin values are read.
"""

from __future__ import annotations

import builtins
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from analyze.instrumentation.type_identity import all_exactly, type_set

globals()["__builtins__"] = dict(vars(builtins))  # the functions below must not see builtins that a program replaces
VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))
_HOLDERS = type_set(list, tuple, set, frozenset, dict, *VIEWS)
_MOST_ITEMS = 500
_DEEPEST = 3
_MOST_DIGITS = 640
"""The lowest limit of `sys.set_int_max_str_digits`."""


def contents(value: Any) -> set[str]:
    """Return the facts of `rewrite.evidence.assumptions.CONTENTS` that hold for a value; none for a long one."""
    kind = type(value)
    if kind is str:
        return set(_of_text(value))
    if kind is float:
        return {"is not NaN"} if value == value else set()
    if kind not in _HOLDERS or len(value) > _MOST_ITEMS:
        return set()
    held = {f"holds exactly {item.__name__}" for item in (str, int, list, tuple) if all_exactly(value, item)}
    if "holds exactly str" in held and all(len(item) == 1 for item in value):
        held.add("holds single characters")
    if _are_in_order(value, _DEEPEST):
        held.add("holds values in one order")
    return held | _entries(value) if kind is dict and all_exactly(value, int) else held


def _of_text(text: str) -> Iterator[str]:
    if str.isascii(text):
        yield "is ASCII only"
        if str.isdecimal(text) and len(text) <= _MOST_DIGITS:
            yield "is ASCII digits only"
    if "\n" not in text and "\r" not in text:
        yield "has no line feed or carriage return"


def _entries(table: dict[int, Any]) -> set[str]:
    """The facts that hold for the values of a `str.translate` table."""
    values = dict.values(table)
    found = {"maps exactly int to exactly int, str or None"} if all_exactly(values, int, str, type(None)) else set()
    if all_exactly(values, int, type(None)) and all(item is None or 0 <= item < 0x110000 for item in values):
        found.add("maps exactly int to numbers of characters or None")
        if all_exactly(values, int):
            found.add("maps exactly int to numbers of characters")
            if all(0 <= old < 0x110000 and (old == new or new not in table) for old, new in dict.items(table)):
                found.add("maps numbers of characters to numbers of characters that are no other key")
    if all_exactly(values, str, type(None)):
        found.add("maps exactly int to exactly str or None")
    return found


def _are_in_order(values: Collection[Any], depth: int) -> bool:
    """Whether all comparisons of the values by size succeed, and agree: strings, numbers, or sequences of them.

    Sequences compare at the first place where they differ, so what is at the same place must be in one order.
    """
    if all_exactly(values, str):
        return True
    if all_exactly(values, int, bool, float):
        return all(value == value for value in values)  # NaN is neither less nor greater nor equal
    if depth == 0 or not (all_exactly(values, tuple) or all_exactly(values, list)):
        return False
    return all(_are_in_order(column, depth - 1) for column in _columns(list(values)))


def _columns(rows: Sequence[Sequence[Any]]) -> Iterable[list[Any]]:
    """What the rows have at each place; rows that are too short are left out."""
    for place in range(max(map(len, rows))):
        yield [row[place] for row in rows if place < len(row)]
