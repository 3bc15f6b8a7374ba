"""The largest input that fits: calls that cannot be shrunk first."""

from __future__ import annotations

import pytest

from analyze.cost.fitting import largest_fitting
from analyze.gold_trace.trace import trace_call
from analyze.tokens.tokenizer import default_tokenizer

LOOP = "def f(items, n=0):\n    for item in items:\n        n += 1\n    return n\n"


@pytest.mark.parametrize(
    ("source", "call", "why"),
    [
        (LOOP, "f(", "no call"),
        (LOOP, "f(range(100))", "nothing that can be shrunk"),
        (LOOP, "f([1])", "nothing smaller"),
        ("def f(n):\n    return [n][n - 100]\n", "f(100)", "a smaller one raises"),
        (LOOP, "f([1] * 50)", "no literal"),
    ],
)
def test_what_has_no_smaller_input_gives_none(source: str, call: str, why: str) -> None:
    assert list(largest_fitting(source, call, 50)) == []


@pytest.mark.parametrize("budget", [200, 400])
def test_the_next_larger_input_does_not_fit(budget: int) -> None:
    [found] = largest_fitting(LOOP, f"f({[1] * 40!r})", budget)
    assert found.tokens == trace_call(LOOP, found.call).tokens
    assert found.tokens <= budget
    larger = f"f({[1] * (found.size + 1)!r})"
    assert trace_call(LOOP, larger).count_tokens(default_tokenizer(), budget) is None
    assert found.original == 40


def test_sizes_that_are_too_small_for_the_program_are_passed_over() -> None:
    [found] = largest_fitting(
        "def f(items):\n    items[4]\n    for item in items:\n        pass\n", f"f({[1] * 90!r})", 900
    )
    assert 5 <= found.size < 90
