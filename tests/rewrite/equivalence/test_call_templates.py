"""Calls with their literals cut out, and values as source text."""

import ast
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpora.errors import InputError
from rewrite.equivalence.call_templates import call_template, close_early, function_template, source_of_value


@pytest.mark.parametrize("call", ["f(", "", "f(1) f(2)", "x = 1", "f(\x00)"])
def test_what_is_no_expression_is_refused_in_one_line(call: str) -> None:
    with pytest.raises(InputError, match="not a call") as caught:
        call_template(call)
    assert "\n" not in str(caught.value).replace(repr(call.strip()), "")


@pytest.mark.parametrize("call", ["f(lambda: 1)", "f(x)", "f(1 + y)", "f([g(1)])", "f(*a)", "x.y", "f(1 if x else 2)"])
def test_what_is_no_literal_stays_as_it_was(call: str) -> None:
    known = call_template(call)
    assert known.values == ()
    assert known.fill(()) == call


def test_literals_in_nested_calls_are_cut_out_in_order() -> None:
    known = call_template("drain(f(1, 'a', *rest), k=[2], **more)")
    assert known.values == (1, "a", [2])
    assert known.parameters == ("", "", "k")
    assert known.fill((9, None, {})) == "drain(f(9, None, *rest), k={}, **more)"


def plain() -> st.SearchStrategy[Any]:
    leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.complex_numbers()
    hashable = st.integers() | st.text() | st.tuples(st.integers(), st.text())
    containers = st.recursive(
        leaves,
        lambda inner: st.lists(inner) | st.tuples(inner) | st.tuples(inner, inner) | st.dictionaries(hashable, inner),
        max_leaves=6,
    )
    return containers | st.sets(hashable) | st.frozensets(hashable)


@settings(deadline=None)
@given(plain())
def test_the_text_of_a_value_evaluates_to_the_value(value: Any) -> None:
    back = eval(source_of_value(value))
    assert repr(back) == repr(value) or back == value
    assert type(back) is type(value)


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, -0.0, [math.inf], {1: (math.nan,)}, set()])
def test_odd_values_keep_their_kind(value: object) -> None:
    assert repr(eval(source_of_value(value))) == repr(value)


def test_a_signature_becomes_a_call_with_a_hole_for_each_parameter_and_two_for_stars() -> None:
    (function,) = ast.parse("def f(a, /, b, *rest, c, d=1, **more): pass").body
    assert isinstance(function, ast.FunctionDef)
    assert function_template(function).fill(tuple(range(1, 9))) == "f(1, 2, 3, 4, c=5, d=6, q=7, p=8)"
    (bare,) = ast.parse("def f(): pass").body
    assert isinstance(bare, ast.FunctionDef)
    assert function_template(bare).fill(()) == "f()"


def test_a_generator_closed_early_has_given_its_first_items_and_no_more() -> None:
    log: list[int] = []

    def f(items: list[int]) -> Any:
        try:
            for item in items:
                log.append(item)
                yield item
        finally:
            log.append(-1)

    assert eval(close_early("f([1, 2, 3])", 1), {"f": f}) == ([1], None)
    assert eval(close_early("f([1, 2, 3])", 2), {"f": f}) == ([1, 2], None)
    assert log == [1, -1, 1, 2, -1]
