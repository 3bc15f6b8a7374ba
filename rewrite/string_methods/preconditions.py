"""Preconditions of reference implementations, which are declared as annotations of their parameters.

`Char` is a `str` of one character, `Pattern` a non-empty `str`, and so on. A precondition has a description, a test for
values (for literals), the fact that observed calls have to support, and the test that a guard emits.
`rewrite.string_methods.discharge` decides whether it holds at an operation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin

from rewrite.evidence import assumptions
from rewrite.evidence.assumptions import at_least, at_most, has_length, has_max_magnitude, has_min_length


@dataclass(frozen=True)
class Precondition:
    """A condition on an argument beyond its exact type.

    Attributes:
        what: The condition in words.
        holds: A test for a value of the exact type.
        test: The source of the guard's test of `{value}`. If empty, the condition has to be proven or assumed.
        fact: The fact that observed calls have to support (`rewrite.evidence.assumptions`).
    """

    what: str
    holds: Callable[[Any], bool]
    test: str = ""
    fact: str = ""


ONE = Precondition("one character long", lambda text: len(text) == 1, fact=has_length(1))
FILL = Precondition("one character long", lambda text: len(text) == 1, "len({value}) == 1", fact=has_length(1))
SOME = Precondition("not empty", lambda text: text != "", "{value} != ''", fact=has_min_length(1))
EMPTY = Precondition("empty", lambda text: text == "", fact=has_length(0))
SHOWN = Precondition("not empty", lambda value: len(value) > 0, fact=has_min_length(1))
SEVERAL = Precondition("more than one character long", lambda text: len(text) > 1, fact=has_min_length(2))
DIGITS = Precondition(
    "ASCII digits only",
    lambda text: str.isascii(text) and str.isdecimal(text) and len(text) <= 640,
    fact=assumptions.DIGITS,
)
ONE_LINE = Precondition(
    "without line feeds and carriage returns",
    lambda text: "\n" not in text and "\r" not in text,
    fact=assumptions.ONE_LINE,
)
ASCII = Precondition("ASCII only", str.isascii, "str.isascii({value})", fact=assumptions.ASCII)
COUNT = Precondition(
    "below 2 ** 31",
    lambda number: number.bit_length() < 32,
    "int.bit_length({value}) < 32",
    fact=has_max_magnitude(2**31),
)
WIDTH = Precondition(
    "below 10,000", lambda number: abs(number) < 10_000, "int.bit_length({value}) < 14", fact=has_max_magnitude(9999)
)
NATURAL = Precondition("not negative", lambda number: number >= 0, fact=at_least(0))
NEGATIVE = Precondition("negative", lambda number: number < 0, fact=at_most(-1))
POSITIVE = Precondition("positive", lambda number: number > 0, fact=at_least(1))
TEXTS = Precondition(
    "exactly str in each item",
    lambda items: set(map(type, items)) <= {str},
    "set(map(type, {value})) <= {{str}}",
    fact=assumptions.STRINGS,
)
_ENTRIES = {int, str, type(None)}
NUMBERED = Precondition(
    "numbers as keys",
    lambda table: set(map(type, table)) <= {int},
    "set(map(type, {value})) <= {{int}}",
    fact=assumptions.ENTRIES,
)
MAPPED = Precondition(
    "texts, numbers or None as values",
    lambda table: set(map(type, table.values())) <= _ENTRIES,
    "set(map(type, dict.values({value}))) <= {{int, str, type(None)}}",
    fact=assumptions.ENTRIES,
)
_CODE = range(0x110000)
# No guard tests these. Unless calls support one of them, `translate` tests the type of each entry.
CODES = Precondition(
    "numbers of characters as values",
    lambda table: set(map(type, {*table, *table.values()})) <= {int} and all(code in _CODE for code in table.values()),
    fact=assumptions.CODE_POINTS,
)
CODES_APART = Precondition(
    "numbers of characters as keys and as values that are no other key",
    lambda table: (
        CODES.holds(table) and all(old in _CODE and (old == new or new not in table) for old, new in table.items())
    ),
    fact=assumptions.CODE_POINTS_APART,
)
CODES_OR_NONE = Precondition(
    "numbers of characters or None as values",
    lambda table: CODES.holds({key: value for key, value in table.items() if value is not None}),
    fact=assumptions.CODE_POINTS_OR_NONE,
)
TEXTS_OR_NONE = Precondition(
    "texts or None as values",
    lambda table: set(map(type, table.values())) <= {str, type(None)},
    fact=assumptions.STRINGS_OR_NONE,
)

Char = Annotated[str, ONE]
Fill = Annotated[str, FILL]
Pattern = Annotated[str, SOME]
Characters = Annotated[str, SHOWN]
Ascii = Annotated[str, ASCII]
Digits = Annotated[str, SEVERAL, DIGITS]
Line = Annotated[str, ONE_LINE]
Count = Annotated[int, COUNT]
Width = Annotated[int, WIDTH]
Natural = Annotated[int, NATURAL]
Negative = Annotated[int, NEGATIVE]
Positive = Annotated[int, POSITIVE]
Texts = Annotated[list[str], TEXTS]
TextTuple = Annotated[tuple[str, ...], TEXTS]
Codes = Annotated[dict[int, int], CODES]
CodesApart = Annotated[dict[int, int], CODES_APART]
CodesOrNone = Annotated[dict[int, int | None], CODES_OR_NONE]
TextsOrNone = Annotated[dict[int, str | None], TEXTS_OR_NONE]
Table = Annotated[dict[int, int | str | None], NUMBERED, MAPPED]


@dataclass(frozen=True)
class ParameterRequirement:
    """What a parameter requires of its argument.

    Attributes:
        type: An exact type, or "".
        literal: The source of a literal, or "".
        preconditions: Further conditions.
    """

    type: str = ""
    literal: str = ""
    preconditions: tuple[Precondition, ...] = ()

    def holds(self, value: object) -> bool:
        """Whether a value meets the requirement.

        >>> requirement_of(Char).holds("a"), requirement_of(Char).holds("ab"), requirement_of(Char).holds(b"a")
        (True, False, False)
        """
        if self.literal:
            return repr(value) == self.literal
        right = not self.type or type(value).__name__ == self.type
        return right and all(precondition.holds(value) for precondition in self.preconditions)


def requirement_of(annotation: Any) -> ParameterRequirement:
    """The requirement of an annotation; Any requires nothing, None and Literal[-1] require that literal."""
    if annotation is None or annotation is type(None):
        return ParameterRequirement(literal="None")
    if get_origin(annotation) is Annotated:
        kind, *preconditions = get_args(annotation)
        return ParameterRequirement((get_origin(kind) or kind).__name__, preconditions=tuple(preconditions))
    if get_args(annotation):  # Literal[…]
        return ParameterRequirement(literal=repr(get_args(annotation)[0]))
    return ParameterRequirement("" if annotation is Any else annotation.__name__)


def requirements_of(annotations: Mapping[str, Any]) -> dict[str, ParameterRequirement]:
    """The requirement of each parameter, by name."""
    return {name: requirement_of(annotation) for name, annotation in annotations.items() if name != "return"}
