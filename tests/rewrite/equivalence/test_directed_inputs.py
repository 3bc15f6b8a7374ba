"""Calls that the texts suggest: each parses, keeps the rest of the call, and those that must keep types do."""

from __future__ import annotations

import ast
import inspect
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite.equivalence.directed_inputs import call_forms, directed_calls, has_same_types, hint_placements, resized
from rewrite.equivalence.input_hints import InputHints

VALUES = st.recursive(
    st.sampled_from([0, 7, -1.5, "ab", "", b"x", True, None]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.lists(inner, max_size=2).map(tuple)
        | st.dictionaries(st.sampled_from("kl"), inner, max_size=2)
    ),
    max_leaves=4,
)
IDEAS = InputHints((4711, "key", [1, 2]), (5,), ("dict",))


def arguments(call: str) -> list[Any]:
    tree = ast.parse(call, mode="eval").body
    assert isinstance(tree, ast.Call)
    return [ast.literal_eval(argument) for argument in tree.args]


@given(VALUES)
def test_a_place_that_keeps_its_type_gets_nothing_else(value: Any) -> None:
    ideas = InputHints(IDEAS.values, (), IDEAS.types)
    found = directed_calls([f"f({value!r})"], ideas, annotated=lambda known: [True] * len(known.values))
    assert all(type(argument) is type(value) for call in found for argument in arguments(call))


def test_the_first_group_of_ideas_comes_first() -> None:
    found = directed_calls(["f(1)"], InputHints((10,)), InputHints((20,)))
    assert found.index("f(10)") < found.index("f(20)")


def test_a_call_without_literals_gives_nothing() -> None:
    assert directed_calls(["f(x)", "f()"], IDEAS) == []


@given(VALUES, st.integers(-1, 40))
def test_what_is_resized_has_the_size_and_the_type(value: Any, size: int) -> None:
    for new in resized(value, size):
        assert (len(new), type(new)) == (size, type(value))


@given(VALUES)
def test_a_value_is_like_itself(value: Any) -> None:
    assert has_same_types(value, value)


@given(VALUES, VALUES)
def test_what_is_alike_has_one_type(new: Any, old: Any) -> None:
    assert not has_same_types(new, old) or type(new) is type(old)


@given(VALUES, VALUES)
def test_what_fits_a_container_is_such_a_container(idea: Any, value: Any) -> None:
    if isinstance(value, list | tuple | dict):
        assert all(type(new) is type(value) for new in hint_placements(idea, value))


SIGNATURES = ["a, b=0", "a, /, b=1, *, c='x'", "a, *rest", "a, b=2, **more", "a, *, c", "*rest, c=1"]


@pytest.mark.parametrize("signature", SIGNATURES)
@pytest.mark.parametrize("call", ["f(1, 2)", "f(1)", "f(1, c=3)", "f(a=1, b=2)"])
def test_a_form_is_another_call_of_the_function_and_some_are_accepted(signature: str, call: str) -> None:
    [function] = ast.parse(f"def f({signature}): ...").body
    assert isinstance(function, ast.FunctionDef)
    found = call_forms(call, function)
    namespace: dict[str, Any] = {}
    exec(f"def f({signature}): ...", namespace)
    known = inspect.signature(namespace["f"])
    accepted = []
    for text in found:
        tree = ast.parse(text, mode="eval").body
        assert isinstance(tree, ast.Call)
        values = {keyword.arg or "": 0 for keyword in tree.keywords}
        assert text != call
        try:
            known.bind(*tree.args, **values)
        except TypeError:
            continue
        accepted.append(text)
    assert len(set(found)) == len(found)
    try:
        eval(call, namespace)
    except TypeError:
        return
    assert accepted, found


@pytest.mark.parametrize(
    ("parameter", "tried"), [("b: list | None = None", False), ("b=None", True), ("*, b=None", True)]
)
def test_an_optional_argument_whose_default_is_none_is_also_empty(parameter: str, tried: bool) -> None:
    [function] = ast.parse(f"def f(a, {parameter}): ...").body
    assert isinstance(function, ast.FunctionDef)
    values = {"[]", "{}", "0", "''"}
    assert (
        values.issubset({text.removeprefix("f(1, b=").removesuffix(")") for text in call_forms("f(1)", function)})
        == tried
    )


@pytest.mark.parametrize("call", ["f(", "f", "f(*a)", "f(**a)"])
def test_what_is_no_plain_call_has_no_other_forms(call: str) -> None:
    [function] = ast.parse("def f(a): ...").body
    assert isinstance(function, ast.FunctionDef)
    assert call_forms(call, function) == []
