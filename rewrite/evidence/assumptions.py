"""Facts about expressions, and assumptions: facts that hold in every call but that the source does not prove.

A fact is a short string of a fixed form, so that it can be printed, stored as JSON and checked again on other inputs.
Not in scope: observing values (`rewrite.evidence.value_observer`) and choosing what to assume.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from corpora.errors import InputError

PLAIN_LOOKUP = "is the method that its type defines"
"""Fact about an attribute: the lookup finds a function on the type; no property, `__getattr__` or instance value
intervenes."""
ASCII = "is ASCII only"
DIGITS = "is ASCII digits only"
"""A str of the digits 0 to 9, at least one, and few enough for `int` under every limit."""
ONE_LINE = "has no line feed or carriage return"
STRINGS = "holds exactly str"
CHARACTERS = "holds single characters"
NUMBERS = "holds exactly int"
LISTS = "holds exactly list"
TUPLES = "holds exactly tuple"
ORDERED = "holds values in one order"
"""All comparisons of them by size succeed, have no effect, and agree: no NaN, no mixed types."""
NOT_NAN = "is not NaN"
"""The value is exactly a float, and equal to itself."""
ENTRIES = "maps exactly int to exactly int, str or None"
CODE_POINTS = "maps exactly int to numbers of characters"
CODE_POINTS_APART = "maps numbers of characters to numbers of characters that are no other key"
CODE_POINTS_OR_NONE = "maps exactly int to numbers of characters or None"
STRINGS_OR_NONE = "maps exactly int to exactly str or None"
CONTENTS = (
    *(ASCII, DIGITS, ONE_LINE, STRINGS, CHARACTERS, NUMBERS, LISTS, TUPLES, ORDERED, NOT_NAN),
    *(ENTRIES, CODE_POINTS, CODE_POINTS_APART, CODE_POINTS_OR_NONE, STRINGS_OR_NONE),
)
"""Facts about the contents of a str, list, tuple, set, dict or view of a dict, or about a float."""
_EXACTLY = re.compile(r"is exactly (\w+(?:(?:, \w+)* or \w+)?)")
_LENGTH = re.compile(r"has length (at least )?(\d+)")
_AT_LEAST = re.compile(r"is at least (-?\d+)")
_AT_MOST = re.compile(r"is at most (-?\d+)")
_WITHIN = re.compile(r"is at most (\d+) from zero")


def exactly(*kinds: str) -> str:
    """The value has exactly this builtin type, such as "str", or one of these.

    >>> exactly("str"), exactly("NoneType", "int", "str")
    ('is exactly str', 'is exactly NoneType, int or str')
    """
    *others, last = kinds
    return f"is exactly {', '.join(others)} or {last}" if others else f"is exactly {last}"


def has_length(number: int) -> str:
    """The value is a str, bytes or container of this length."""
    return f"has length {number}"


def has_min_length(number: int) -> str:
    """The value is a str, bytes or container of at least this length."""
    return f"has length at least {number}"


def at_least(number: int) -> str:
    """The value is exactly an int (not a bool) of at least this number."""
    return f"is at least {number}"


def at_most(number: int) -> str:
    """The value is exactly an int (not a bool) of at most this number."""
    return f"is at most {number}"


def has_max_magnitude(number: int) -> str:
    """The value is exactly an int (not a bool) whose absolute value is at most this number."""
    return f"is at most {number} from zero"


class Assumption(NamedTuple):
    """A fact that a rewrite assumes because every call showed it.

    Attributes:
        line: line of the expression in the original, from 1.
        column: column of the expression, from 1.
        expression: its source, on one line.
        what: the fact, such as "is exactly str".
    """

    line: int
    column: int
    expression: str
    what: str

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.expression} {self.what}"


@dataclass(frozen=True)
class ValueSummary:
    """What runs showed of one expression, over all of its evaluations.

    Attributes:
        types: names of exact builtin types; "opaque" for values whose repr shows only an address or a name (functions,
            iterators, objects without a repr of their own); "" for any other type.
        lengths: the smallest and the greatest length, if every value had one.
        numbers: the smallest and the greatest value, if every value was an int.
        plain: for an attribute, whether every lookup found a function on the type.
        holds: the facts of `CONTENTS` that held for every value.
    """

    types: frozenset[str]
    lengths: tuple[int, int] | None = None
    numbers: tuple[int, int] | None = None
    plain: bool | None = None
    holds: frozenset[str] = frozenset()

    @property
    def is_opaque(self) -> bool:
        """Whether every observed value shows only an address or a name."""
        return self.types == {"opaque"}

    def __or__(self, other: ValueSummary) -> ValueSummary:
        return ValueSummary(
            self.types | other.types,
            _both(self.lengths, other.lengths),
            _both(self.numbers, other.numbers),
            other.plain if self.plain is None else self.plain if other.plain is None else self.plain and other.plain,
            self.holds & other.holds,
        )

    def supports(self, what: str) -> bool:
        """Whether a fact held in every evaluation.

        Raises:
            InputError: if the string is not a fact.
        """
        if what == PLAIN_LOOKUP:
            return self.plain is True
        if found := _EXACTLY.fullmatch(what):
            return bool(self.types) and self.types <= {*re.split(", | or ", found[1])}
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
        raise InputError(f"unknown assumption: {what!r}")


def _both(one: tuple[int, int] | None, other: tuple[int, int] | None) -> tuple[int, int] | None:
    return (min(one[0], other[0]), max(one[1], other[1])) if one is not None and other is not None else None


def read_assumptions(records: Any) -> tuple[Assumption, ...]:
    """Read assumptions from parsed JSON: a list of objects with the four fields, or of lists of four values.

    Raises:
        InputError: for anything else.
    """
    found = []
    for record in records if isinstance(records, list) else [None]:
        values = [record.get(name) for name in Assumption._fields] if isinstance(record, Mapping) else record
        if not isinstance(values, list | tuple) or [type(value) for value in values] != [int, int, str, str]:
            raise InputError("assumptions are a list of objects with line, column, expression and what")
        made = Assumption(*values)
        ValueSummary(frozenset()).supports(made.what)
        found.append(made)
    return tuple(found)
