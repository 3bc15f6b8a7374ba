"""What a rewrite may rest on where the source proves nothing: a fact of an expression that every call showed.

Facts are short texts of a fixed form, so that they can be printed, kept as JSON and checked again on other inputs.
What it does not do: observe anything (`rewrite.evidence.watching`), or decide what is worth assuming.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from corpora.errors import InputError

PLAIN = "is found on its type"
"""Of an attribute: a function on the type, with no property, `__getattr__` or value of the instance before it."""
ASCII = "is ASCII only"
TEXTS = "holds exactly str"
ENTRIES = "maps exactly int to exactly int, str or None"
CODES = "maps exactly int to numbers of characters"
CODES_OR_NONE = "maps exactly int to numbers of characters or None"
TEXTS_OR_NONE = "maps exactly int to exactly str or None"
CONTENTS = (ASCII, TEXTS, ENTRIES, CODES, CODES_OR_NONE, TEXTS_OR_NONE)
"""Of what a str, a list or tuple, a dict holds."""
_EXACTLY = re.compile(r"is exactly (\w+)")
_LENGTH = re.compile(r"has length (at least )?(\d+)")
_AT_LEAST = re.compile(r"is at least (-?\d+)")
_AT_MOST = re.compile(r"is at most (-?\d+)")
_WITHIN = re.compile(r"is at most (\d+) from zero")


def exactly(kind: str) -> str:
    """The value is of exactly this builtin type, such as "str"."""
    return f"is exactly {kind}"


def length(number: int) -> str:
    """The value is a str, bytes or container of this length."""
    return f"has length {number}"


def longer(number: int) -> str:
    """The value is a str, bytes or container of at least this length."""
    return f"has length at least {number}"


def at_least(number: int) -> str:
    """The value is exactly an int (no bool), and not less."""
    return f"is at least {number}"


def at_most(number: int) -> str:
    """The value is exactly an int (no bool), and not more."""
    return f"is at most {number}"


def near(number: int) -> str:
    """The value is exactly an int (no bool), and no farther from zero."""
    return f"is at most {number} from zero"


class Assumption(NamedTuple):
    """A fact of an expression of the original (line and column from 1) that holds in every one of the calls."""

    line: int
    column: int
    expression: str
    what: str

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.expression} {self.what}"


@dataclass(frozen=True)
class Seen:
    """What runs showed of one expression, over all its evaluations.

    types: names of exact builtin types, "opaque" for those whose values show no more than an address or a name
    (functions, iterators, objects without a repr of their own), "" for any other; lengths and numbers: the least and
    the greatest, where every value had a length, or was an int; plain: of an attribute, whether each look-up found a
    function on the type; holds: what of CONTENTS was so of each value.
    """

    types: frozenset[str]
    lengths: tuple[int, int] | None = None
    numbers: tuple[int, int] | None = None
    plain: bool | None = None
    holds: frozenset[str] = frozenset()

    @property
    def is_opaque(self) -> bool:
        """Whether no value that was seen shows more than an address or a name."""
        return self.types == {"opaque"}

    def __or__(self, other: Seen) -> Seen:
        return Seen(
            self.types | other.types,
            _both(self.lengths, other.lengths),
            _both(self.numbers, other.numbers),
            other.plain if self.plain is None else self.plain if other.plain is None else self.plain and other.plain,
            self.holds & other.holds,
        )

    def shows(self, what: str) -> bool:
        """Whether the fact held each time. Raises InputError for a text that is no fact."""
        if what == PLAIN:
            return self.plain is True
        if found := _EXACTLY.fullmatch(what):
            return self.types == {found[1]}
        if found := _LENGTH.fullmatch(what):
            least = int(found[2])
            most = None if found[1] else least
            return self.lengths is not None and least <= self.lengths[0] and most in (None, self.lengths[1])
        if found := _AT_LEAST.fullmatch(what):
            return self.types == {"int"} and self.numbers is not None and int(found[1]) <= self.numbers[0]
        if found := _AT_MOST.fullmatch(what):
            return self.types == {"int"} and self.numbers is not None and self.numbers[1] <= int(found[1])
        if found := _WITHIN.fullmatch(what):
            far = None if self.numbers is None else max(map(abs, self.numbers))
            return self.types == {"int"} and far is not None and far <= int(found[1])
        if what in CONTENTS:
            return what in self.holds
        raise InputError(f"no assumption is known that reads {what!r}")


def _both(one: tuple[int, int] | None, other: tuple[int, int] | None) -> tuple[int, int] | None:
    return (min(one[0], other[0]), max(one[1], other[1])) if one is not None and other is not None else None


def read_assumptions(records: Any) -> tuple[Assumption, ...]:
    """Assumptions from what JSON made of them: objects with the four fields, or lists of four values.

    Raises InputError for anything else.
    """
    found = []
    for record in records if isinstance(records, list) else [None]:
        values = [record.get(name) for name in Assumption._fields] if isinstance(record, Mapping) else record
        if not isinstance(values, list | tuple) or [type(value) for value in values] != [int, int, str, str]:
            raise InputError("assumptions are a list of objects with line, column, expression and what")
        made = Assumption(*values)
        Seen(frozenset()).shows(made.what)
        found.append(made)
    return tuple(found)
