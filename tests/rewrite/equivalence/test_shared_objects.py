"""Calls that pass one object in several places, and what the verdict says of a difference that needs them."""

import pytest

from rewrite.equivalence.check import SHARING, check_equivalence
from rewrite.equivalence.shared_objects import calls_with_shared_objects, without_sharing


@pytest.mark.parametrize(
    "call",
    [
        pytest.param("f()", id="no argument"),
        pytest.param("f(1, [1, 2], 'a')", id="no floats and one container"),
        pytest.param("f(1.0, [1, 2])", id="one float"),
        pytest.param("f([], {}, {1})", id="containers of different types"),
        pytest.param("f((1,), (1,))", id="containers that nothing can change"),
        pytest.param("(lambda shared: f(shared, shared))([1])", id="an object that is shared already"),
    ],
)
def test_a_call_without_two_such_places_shares_nothing(call: str) -> None:
    assert calls_with_shared_objects([call]) == []


def test_a_container_is_never_an_item_of_itself() -> None:
    assert calls_with_shared_objects(["f([[1], [[2]]])"]) == [
        "(lambda shared: f([shared, shared]))([1])",
        "(lambda shared: f([shared, [shared]]))([1])",
    ]


def test_one_nan_is_all_floats_or_the_last_one_of_each_argument() -> None:
    assert calls_with_shared_objects(["f(1.0, {2: [3.0, 4.0]})"]) == [
        "(lambda shared: f(shared, {2: [shared, shared]}))((1e999 - 1e999))",
        "(lambda shared: f(shared, {2: [3.0, shared]}))((1e999 - 1e999))",
    ]


@pytest.mark.parametrize("call", ["f(1)", "(lambda x: f(x))(1)", "x = f(1); x.g()"])
def test_a_call_that_shares_nothing_stays(call: str) -> None:
    assert without_sharing(call) == call


@pytest.mark.medium
@pytest.mark.parametrize(
    ("before", "after", "call"),
    [
        pytest.param(
            "def f(x, xs):\n    return x in xs",
            "def f(x, xs):\n    return any(x == y for y in xs)",
            "f(1.5, [1.5])",
            id="NaN is in a list that holds it",
        ),
        pytest.param(
            "def f(a, b):\n    a.append(1)\n    return len(b[0])",
            "def f(a, b):\n    n = len(b[0])\n    a.append(1)\n    return n",
            "f([1], [[2]])",
            id="an item that is another argument",
        ),
        pytest.param(
            "def f(rows):\n    rows[0].append(1)\n    return len(rows[1])",
            "def f(rows):\n    n = len(rows[1])\n    rows[0].append(1)\n    return n",
            "f([[1], [2]])",
            id="a list that is two items",
        ),
    ],
)
def test_a_difference_that_needs_one_object_in_several_places_is_found_and_said(
    before: str, after: str, call: str
) -> None:
    found = check_equivalence(before, after, [call])
    assert (found.equivalent, found.why) == (False, f"they differ in value{SHARING}")


def test_a_difference_that_needs_no_sharing_is_not_said_to() -> None:
    found = check_equivalence("def f(x, xs):\n    return x in xs", "def f(x, xs):\n    return True", ["f(1.5, [1.5])"])
    assert (found.equivalent, found.why) == (False, "they differ in value")
