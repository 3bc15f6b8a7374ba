"""Every reference implementation against `str` itself, on whatever its preconditions let pass."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from functools import cache, partial
from random import Random
from typing import Any

import pytest
from hypothesis import strategies as st

from rewrite.string_methods.preconditions import (
    ASCII,
    CODES,
    CODES_APART,
    CODES_OR_NONE,
    DIGITS,
    EMPTY,
    FILL,
    NATURAL,
    NEGATIVE,
    ONE,
    POSITIVE,
    SHOWN,
    SOME,
    TEXTS_OR_NONE,
    ParameterRequirement,
)
from rewrite.string_methods.reference import BUILTIN_FUNCTIONS, OPERATIONS, ReferenceImplementation, references
from tests.samples import drawn_values

# Case pairs that depend on neighbours (sigma), grow (ß, İ), have three cases (ǅ); a combining mark; a lone surrogate;
# line ends of every kind.
CHARACTERS = st.one_of(
    st.sampled_from("abAB -+\t\n\r\x0b\x1c\x85\u2028.ΣσςßİıǅDž\u0301\ud800"), st.sampled_from("ab"), st.characters()
)
TEXT = st.text(CHARACTERS, max_size=8)
BOUND = st.one_of(st.none(), st.integers(-12, 12), st.sampled_from([10**20, -(10**20), True, 1.5, "x"]))
NUMBER = st.one_of(st.integers(-4, 20), st.sampled_from([2**40, -(2**40)]))
KEY = st.one_of(st.integers(60, 100), st.sampled_from([946, 9, 32]))
CODE = st.one_of(st.integers(60, 100), st.integers(0, 0x10FFFF))
TABLES = {
    CODES: st.dictionaries(KEY, CODE, max_size=8),
    CODES_APART: st.dictionaries(KEY, CODE, max_size=3),
    CODES_OR_NONE: st.dictionaries(KEY, CODE | st.none(), max_size=8),
    TEXTS_OR_NONE: st.dictionaries(KEY, TEXT | st.none(), max_size=8),
}
ENTRY = st.one_of(TEXT, st.integers(-2, 1114120), st.none())
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "str": TEXT,
    "int": NUMBER,
    "list": st.lists(TEXT, max_size=4),
    "dict": st.dictionaries(KEY, ENTRY, max_size=8),
    "tuple": st.lists(TEXT, max_size=3).map(tuple),
    "": BOUND,
}
ALL = [reference for forms in references().values() for reference in forms]


@cache
def drawn(wanted: ParameterRequirement) -> st.SearchStrategy[Any]:
    """Values that a parameter takes."""
    if wanted.literal:
        return st.just(eval(wanted.literal))
    strategy = VALUES[wanted.type]
    if EMPTY in wanted.preconditions:
        strategy = st.just("")
    elif {ONE, FILL} & set(wanted.preconditions):
        strategy = CHARACTERS
    elif DIGITS in wanted.preconditions:
        strategy = st.text("0123456789", min_size=2, max_size=9)
    elif NEGATIVE in wanted.preconditions:
        strategy = st.integers(-12, -1)
    elif tables := [TABLES[one] for one in wanted.preconditions if one in TABLES]:
        strategy = tables[0]
    elif wanted.type == "int" and wanted.preconditions:
        strategy = st.integers(
            1 if POSITIVE in wanted.preconditions else 0 if NATURAL in wanted.preconditions else -4, 20
        )
    elif ASCII in wanted.preconditions:
        strategy = st.text(st.sampled_from("abAB -+\t\n.'09"), max_size=8)
    elif SOME in wanted.preconditions:
        strategy = st.text(CHARACTERS, min_size=1, max_size=4)
    elif wanted.type == "list" and SHOWN in wanted.preconditions:
        strategy = st.lists(TEXT, min_size=1, max_size=4)
    return strategy.filter(wanted.holds)


def original(reference: ReferenceImplementation, arguments: tuple[Any, ...]) -> Any:
    """What Python itself does."""
    text, *rest = arguments
    if reference.method not in OPERATIONS:
        return getattr(text, reference.method)(*rest)
    if reference.method in BUILTIN_FUNCTIONS:
        return getattr(builtins, reference.method)(text)
    if reference.method == "bin digits":
        return bin(text)[2:]
    if reference.method in ("slice", "part"):
        return text[slice(*rest)]
    return (rest[0] in text) == (reference.method == "in")


def outcome(function: Any, *arguments: Any) -> tuple[type, str]:
    try:
        value = function(*arguments)
    except Exception as error:  # noqa: BLE001 - the error is the outcome
        return type(error), str(error)
    return type(value), repr(value)


def arguments_of(reference: ReferenceImplementation, count: int) -> Iterator[tuple[Any, ...]]:
    """Drawn arguments that a reference implementation takes."""
    random = Random(f"{reference.method} {reference.name}")
    values = [drawn_values(drawn(wanted)) for wanted in reference.requirements.values()]
    for _ in range(count):
        yield tuple(map(random.choice, values))


@pytest.mark.parametrize("reference", ALL, ids=[f"{one.method}-{one.name}" for one in ALL])
def test_the_implementation_does_what_python_does(reference: ReferenceImplementation) -> None:
    for arguments in arguments_of(reference, 60):
        expected = outcome(partial(original, reference), arguments)
        if all(issubclass(expected[0], int) and one.holds(int(expected[1])) for one in reference.shown_result):
            assert outcome(reference.function, *arguments) == expected, arguments
        if reference.method not in ("slice", "part") and gives_the_text_itself(reference, arguments):
            assert reference.function(*arguments) is arguments[0], arguments


def gives_the_text_itself(reference: ReferenceImplementation, arguments: tuple[Any, ...]) -> bool:
    try:
        return original(reference, arguments) is arguments[0] and arguments[1:2] != arguments[2:3]
    except (ValueError, TypeError):
        return False
