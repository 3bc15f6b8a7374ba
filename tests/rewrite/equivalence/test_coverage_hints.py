"""Calls near those that came to a new place; none where there is nothing left to come to."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite.equivalence.call_templates import CallTemplate
from rewrite.equivalence.coverage import Coverage, measure_coverage
from rewrite.equivalence.coverage_hints import MAX_BASE_CALLS, coverage_guided_calls
from rewrite.equivalence.input_hints import InputHints
from rewrite.equivalence.observation import LOAD_ONLY

WHOLE = Coverage((1,), (), (), "", 2, 2, (0,))
IDEAS = InputHints((4711,))


def loosely(known: CallTemplate) -> list[bool]:
    return [False] * len(known.values)


def partly(*first: int) -> Coverage:
    return Coverage((1,), (2,), ((1, "never true"),), "", 2, 1, first)


def test_nothing_is_suggested_where_all_was_reached() -> None:
    assert coverage_guided_calls([WHOLE, WHOLE], ["f(1)"], IDEAS, loosely, 10) == []


def test_loading_a_module_has_no_arguments_to_change() -> None:
    assert coverage_guided_calls([WHOLE, partly(0)], [LOAD_ONLY], IDEAS, loosely, 10) == []


def test_ideas_are_put_into_the_calls_that_came_furthest() -> None:
    found = coverage_guided_calls([WHOLE, partly(1)], ["f(1)", "f(2, 3)"], IDEAS, loosely, 50)
    assert {"f(4711, 3)", "f(2, 4711)"} <= set(found)


@pytest.mark.medium
@given(st.lists(st.integers(0, 50), min_size=1, max_size=8, unique=True), st.integers(0, 30))
def test_suggestions_are_new_calls_and_no_more_than_asked_for(numbers: list[int], most: int) -> None:
    calls = [f"f({number}, [1, 2, 3])" for number in numbers]
    found = coverage_guided_calls([partly(*range(len(calls)))], calls, IDEAS, loosely, most)
    assert len(found) <= most
    assert len(set(found)) == len(found)
    assert not set(found) & set(calls)
    assert all(isinstance(ast.parse(call, mode="eval").body, ast.Call) for call in found)
    assert MAX_BASE_CALLS > 1


def test_a_place_behind_a_constant_is_come_to() -> None:
    source = "def f(n):\n    if n == 4711:\n        return 1\n    return 0\n"
    calls = ["f(1)"]
    before = measure_coverage(source, calls)
    assert before.missed_lines == (3,)
    more = coverage_guided_calls([before], calls, InputHints.of(ast.parse(source)), loosely, 20)
    assert measure_coverage(source, [*calls, *more]).missed_lines == ()
