"""What a value holds: an order only where all comparisons of two items succeed and agree."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from rewrite.evidence.assumptions import CHARACTERS, DIGITS, LISTS, NOT_NAN, NUMBERS, ORDERED, STRINGS, TUPLES
from rewrite.evidence.value_contents import contents

NAN = float("nan")
SCALARS = st.one_of(st.integers(-2, 2), st.booleans(), st.text("ab", max_size=2), st.sampled_from([0.5, NAN, None]))
ROWS = st.one_of(st.lists(SCALARS, max_size=2), st.lists(SCALARS, max_size=2).map(tuple))


@pytest.mark.parametrize(
    "value",
    [[], [1, True, 0.5], ("a", ""), [(1, "a"), (2, "b", 1)], [[1], []], {0.5, 1}, {"a": 1}.keys(), {"a": 1}.items()],
)  # fmt: skip
def test_values_in_one_order(value: object) -> None:
    assert ORDERED in contents(value)


OWN: list[object] = []
OWN.append(OWN)


@pytest.mark.parametrize(
    "value",
    [[NAN], [1, "a"], [None], [(1, "a"), (1, 2)], [[1], (1,)], [{1}], [1j], OWN, [(NAN, 1)], [[[[[1]]]]], iter([1]), 1],
)
def test_values_that_may_have_no_order(value: object) -> None:
    assert ORDERED not in contents(value)


@seed(1)
@settings(max_examples=300, database=None)
@given(st.one_of(st.lists(SCALARS, max_size=4), st.lists(ROWS, max_size=4)))
def test_comparisons_in_one_order_agree(values: list[object]) -> None:
    if ORDERED in contents(values):
        for one, other in itertools.product(values, repeat=2):
            assert (one < other) + (one == other) + (one > other) == 1  # type: ignore[operator]
            assert (one <= other) is not (one > other)  # type: ignore[operator]


def test_types_of_items_and_numbers() -> None:
    assert CHARACTERS in contents(["a", "b"]) and CHARACTERS not in contents(["a", "bc"]) | contents(["a", ""])
    assert CHARACTERS not in contents([["a"]]) and LISTS in contents(([], [1])) and TUPLES not in contents([(), []])
    assert STRINGS in contents({"a": 1}) and NUMBERS in contents({1: "a"}) and ORDERED not in contents({1: 0, "a": 0})
    assert STRINGS in contents({"a"}) and NUMBERS in contents({1: 2}.values())
    assert STRINGS not in contents({"a", 1}) and NUMBERS not in contents((True,))
    assert NOT_NAN in contents(0.5) and NOT_NAN not in contents(NAN) | contents(1)


@pytest.mark.parametrize("text", ["", "-1", " 1", "1_0", "٣", "²", "1" * 641])
def test_text_that_int_may_read_in_another_way(text: str) -> None:
    assert DIGITS not in contents(text)


def test_digits() -> None:
    assert DIGITS in contents("007") and DIGITS not in contents(7)
