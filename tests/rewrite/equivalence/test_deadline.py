"""A comparison that runs out of time is undecided, never "the same"."""

from __future__ import annotations

from corpora.deadline import time_limit
from rewrite.equivalence.check import check_equivalence

SLOW = "def f(n):\n    for _ in range({}):\n        n += 1\n    return n\n"


def test_a_comparison_that_the_deadline_ends_is_undecided() -> None:
    with time_limit(0):
        verdict = check_equivalence(SLOW.format(2), SLOW.format("1 + 1"), ["f(1)"])
    assert verdict.equivalent is None
    assert verdict.why == "its time limit of 0 s (--seconds) has passed after 0 inputs without a difference"
