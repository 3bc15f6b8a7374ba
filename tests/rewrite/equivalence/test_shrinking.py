"""Calls made simpler while they still show what they showed."""

import ast
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewrite.equivalence.shrinking import complexity, shrink, simplified


def smallest(call: str, holds: Any) -> str:
    """Shrink a call of f with one literal, where `holds` says whether a value shows the difference."""

    def shows(calls: list[str]) -> str | None:
        return next((text for text in calls if holds(ast.literal_eval(text[2:-1]))), None)

    return shrink(call, shows, seconds=20)


def test_a_call_that_nothing_simpler_shows_stays_exactly_as_written() -> None:
    assert smallest("f( [1,2] )", lambda value: False) == "f( [1,2] )"


def test_a_call_without_literals_stays() -> None:
    assert shrink("f(g)", lambda calls: calls[0] if calls else None, seconds=1) == "f(g)"


@pytest.mark.parametrize(
    ("call", "holds", "simplest"),
    [
        ("f([5, 6, 7, 8, 9])", lambda v: type(v) is list and len(v) >= 3 and 7 in v, "f([7, 0, 0])"),
        ("f('Straße')", lambda v: type(v) is str and "ß" in v, "f('ß')"),
        ("f('hello, world')", lambda v: type(v) is str and len(v) > 2, "f('aaa')"),
        ("f(-973)", lambda v: v < -10, "f(-11)"),
        ("f({'k': [1, 2], 'l': [3]})", lambda v: type(v) is dict and len(v) == 1, "f({'': []})"),
        ("f([[7, 'k'], [7]])", lambda v: len(v) == 2 and all(v) and v[0][0] == v[1][0], "f([[0], [0]])"),
        ("f(((1, 'x'), True))", lambda v: v and v[-1] is True, "f((True,))"),
    ],
)
def test_the_simplest_value_is_found(call: str, holds: Any, simplest: str) -> None:
    assert smallest(call, holds) == simplest


def values() -> st.SearchStrategy[Any]:
    plain = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.binary(max_size=3)
    keys = st.integers() | st.text(max_size=2)
    return st.recursive(plain, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=2))


@settings(deadline=None)
@given(values())
def test_what_is_simpler_has_the_same_type_and_the_simplest_is_reached(value: Any) -> None:
    steps = 0
    while simpler := [one for one in simplified(value) if complexity(one) < complexity(value)]:
        assert {type(one) for one in simpler} == {type(value)}
        value, steps = min(simpler, key=complexity), steps + 1
        assert steps < 100
    assert value in (None, False, 0, "", b"", [], {})
