"""How traces grow: orders that are known, and calls that are grown."""

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyze.cost.grown_calls import growable_arguments, resized
from analyze.cost.growth import MIN_POINTS, fitted_order, growth
from corpora.deadline import time_limit

KEYS = st.one_of(st.integers(), st.text(max_size=3))
VALUES = st.one_of(
    st.integers(1, 99),
    st.text(min_size=1, max_size=5),
    st.binary(min_size=1, max_size=5),
    st.lists(st.integers(), min_size=1, max_size=4),
    st.tuples(st.integers(), st.text(max_size=2)),
    st.sets(KEYS, min_size=1, max_size=4),
    st.dictionaries(KEYS, st.integers(), min_size=1, max_size=4),
)
MERGE_SORT = """
def f(x):
    if len(x) < 2:
        return x
    m = len(x) // 2
    a, b, r = f(x[:m]), f(x[m:]), []
    while a and b:
        r.append(a.pop(0) if a[0] < b[0] else b.pop(0))
    return r + a + b
"""


@given(VALUES, st.integers(1, 60))
def test_a_grown_value_has_the_size_and_the_type(value: Any, size: int) -> None:
    made = resized(value, size)
    assert type(made) is type(value)
    assert (made if isinstance(made, int) else len(made)) == size
    if isinstance(value, set | dict) and size >= len(value):
        assert set(value) <= set(made)


@given(st.lists(VALUES, max_size=3), st.integers(1, 20))
def test_only_the_argument_that_is_grown_changes(values: list[Any], size: int) -> None:
    call = f"f({', '.join(map(repr, values))})"
    for number, found in enumerate(found for found in growable_arguments(call) if found.name != "all"):
        made = [ast.literal_eval(argument) for argument in ast.parse(found.at(size), mode="eval").body.args]  # type: ignore[attr-defined]
        assert [at for at, value in enumerate(made) if value != values[at]] in ([], [number])


@pytest.mark.parametrize("call", ["f(", "f()", "f('')", "f(x)", "f(-1, None, 2.5, True)", "a", "f({1.5: 2})"])
def test_what_cannot_be_grown_is_left_out(call: str) -> None:
    assert list(growable_arguments(call)) == []


@pytest.mark.medium
@pytest.mark.parametrize(
    ("source", "call", "steps", "tokens"),
    [
        ("def f(x):\n    return x[0]", "f('abc')", "constant", "linear"),
        ("def f(x):\n    for c in x:\n        pass", "f('abc')", "linear", "linear"),
        ("def f(x):\n    s = ''\n    for c in x:\n        s += c", "f('xqvzkjw')", "linear", "quadratic"),
        ("def f(x):\n    for a in x:\n        for b in x:\n            pass", "f([1, 2, 3])", "quadratic", "quadratic"),
        ("def f(n):\n    while n > 1:\n        n //= 2", "f(n=100)", "logarithmic", "logarithmic"),
        (MERGE_SORT, "f([3, 1, 4, 1, 5, 9, 2, 6])", "n log n", "n log n"),
        ("def f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)", "f(8)", "exponential", "exponential"),
    ],
)
def test_the_order_of_known_programs(source: str, call: str, steps: str, tokens: str) -> None:
    [found] = growth(source, call)
    assert (found.steps, found.tokens) == (steps, tokens)
    assert len(found.points) >= MIN_POINTS


@pytest.mark.medium
def test_containers_are_grown_together_too() -> None:
    found = growth("def f(a, b):\n    return [p + q for p, q in zip(a, b)]", "f([1, 2, 3], [3, 4, 5])")
    assert [(one.argument, one.steps) for one in found] == [
        ("[1, 2, 3]", "constant"),
        ("[3, 4, 5]", "constant"),
        ("all", "linear"),
    ]


@pytest.mark.medium
@pytest.mark.usefixtures("short_endless_loops")
def test_a_program_that_does_not_end_has_no_order_and_says_so() -> None:
    [found] = growth("def f(n):\n    while True:\n        pass", "f(1)")
    assert (found.steps, found.tokens, found.largest(8192)) == (None, None, None)
    assert "cut short" in found.why


def test_sizes_that_raise_are_no_points() -> None:
    [found] = growth("def f(x):\n    assert len(x) < 7\n    return x", "f('ab')")
    assert max(point.size for point in found.points) < 7 and found.why == "size 8 and 3 more: AssertionError"


def test_a_call_whose_other_sizes_all_raise_names_no_sizes() -> None:
    found = growth("def f(a, b):\n    assert a + b == 5", "f(2, 3)")
    assert [one.why for one in found] == ["other sizes end otherwise: AssertionError"] * 2


def test_the_largest_size_that_fits() -> None:
    [found] = growth("def f(x):\n    for c in x:\n        pass", "f('abc')")
    sizes = {point.size: point.tokens or 0 for point in found.points}
    assert found.largest(sizes[9]) == 9 and found.largest(0) is None


@given(st.lists(st.integers(1, 10**6), max_size=12))
def test_whatever_the_values_are_an_order_is_found_or_none(values: list[int]) -> None:
    fitted_order(range(1, len(values) + 1), values)


def test_growth_ends_at_the_deadline_and_says_what_was_cut() -> None:
    with time_limit(0):
        [found] = growth("def f(n):\n    return n", "f(3)")
    assert (found.points, found.steps, found.why) == (
        (),
        None,
        "no more sizes: its time limit of 0 s (--seconds) has passed",
    )


@pytest.mark.parametrize(
    ("values", "order"),
    [
        ([49, 67, 67, 67, 67, 67, 67], None),
        ([180, 233, 254, 275, 317, 359, 443], "linear"),
        ([5205, 8222, 10424, 12626, 17030, 21434, 30242], "linear"),
    ],
)
def test_a_step_is_no_order_and_does_not_hide_one(values: list[int], order: str | None) -> None:
    assert fitted_order([3, 6, 9, 12, 18, 24, 36], values) == order


def test_sizes_that_raise_alike_are_reported_once() -> None:
    [found] = growth("def f(n):\n    assert n < 25\n", "f(10)")
    assert found.why == "size 30 and 4 more: AssertionError"
