"""Sequences of calls: each is made of the calls given, in their order, and of no others."""

from __future__ import annotations

import ast

from hypothesis import given
from hypothesis import strategies as st

from rewrite.equivalence.call_sequences import INSTANCE, call_sequences

CALLS = st.sampled_from(["f(1)", "f([1, 2])", "g('a; b')", "A(1).m(2)", "A(2).n()", "A(1).p", "B().m(1)"])


@given(st.lists(CALLS, max_size=8, unique=True), st.integers(0, 30))
def test_a_sequence_is_two_or_three_of_the_calls(calls: list[str], most: int) -> None:
    found = call_sequences(calls, most)
    assert len(found) <= most
    assert len(set(found)) == len(found)
    for text in found:
        steps = [ast.unparse(step) for step in ast.parse(text).body]
        if steps[0].startswith(f"{INSTANCE} = "):
            made = steps[0].removeprefix(f"{INSTANCE} = ")
            owner = made.partition("(")[0]
            assert all(step.startswith(f"{INSTANCE}.") for step in steps[1:])
            assert all(
                any(call.startswith(f"{owner}(") and call.endswith(step.removeprefix(INSTANCE)) for call in calls)
                for step in steps[1:]
            )
        else:
            assert len(steps) in (2, 3)
            assert set(steps) <= set(calls)


def test_what_is_no_call_is_left_out() -> None:
    assert call_sequences(["f(", "1 + 1", "", "f(1)  # again"]) == ["f(1); f(1)", "f(1); f(1); f(1)"]


def test_methods_are_called_on_one_instance() -> None:
    assert "made = A(1); made.m(2); made.n()" in call_sequences(["A(1).m(2)", "A(1).n()"])
