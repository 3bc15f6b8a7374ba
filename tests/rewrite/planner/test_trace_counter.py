"""The tokens of variants, and why a variant has none."""

from __future__ import annotations

import pytest

from rewrite.planner.trace_counter import UNCOUNTED, TraceCounter

SOURCE = "def f(n):\n    return n + 1\n"


def test_a_variant_that_does_the_same_is_counted() -> None:
    counter = TraceCounter(SOURCE, ["f(1)"])
    longer = counter.tokens("def f(n):\n    m = n + 1\n    return m\n")
    assert longer is not None and counter.original is not None and longer > counter.original


def test_a_variant_that_does_something_else_is_named_with_the_call() -> None:
    counter, other = TraceCounter(SOURCE, ["f(0)", "f(1)"]), "def f(n):\n    return n or 1\n"
    assert counter.tokens(other) is None
    assert counter.why_uncounted(other) == "it does something else under f(1) (value)"


@pytest.mark.medium
def test_a_trace_without_an_end_is_not_counted() -> None:
    long = "def f(n):\n    for i in range(n):\n        pass\n    return n\n"
    counter = TraceCounter(long, ["f(10**6)"])
    assert counter.original is None
    assert counter.why_uncounted(long) == UNCOUNTED
