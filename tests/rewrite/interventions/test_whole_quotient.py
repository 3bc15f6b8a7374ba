"""`int(a / b)` is `a // b` in the range where the rewrite applies; elsewhere the program stays."""

from __future__ import annotations

import pytest
from hypothesis import example, given, seed, settings
from hypothesis import strategies as st

from rewrite import rewrite_source
from rewrite.interventions.whole_quotient import MOST

NEAR = st.one_of(st.integers(0, 99), st.integers(0, MOST), st.integers(MOST - 99, MOST))


@pytest.mark.medium
@seed(1)
@settings(max_examples=3000, database=None)
@given(NEAR, NEAR, st.integers(-1, 1))
@example(MOST, MOST, 0)
@example(MOST - 1, MOST, 0)
@example(MOST, 1, 0)
def test_the_float_has_the_same_whole_part(dividend: int, divisor: int, off: int) -> None:
    divisor = max(1, divisor)
    near = dividend - dividend % divisor + off  # next to a multiple of the divisor
    for one in (dividend, min(max(0, near), MOST)):
        assert int(one / divisor) == one // divisor


@pytest.mark.parametrize("call", ["f(-7, 2)", "f(7, -2)", "f(7.0, 2)", "f(True, 2)", f"f({MOST + 1}, 2)", "f(7, 0)"])
def test_other_numbers_stay(call: str) -> None:
    source = "def f(a, b):\n    return int(a / b)\n"
    assert not rewrite_source(source, "elements", calls=[call], cost=None).changed


def test_operands_are_evaluated_in_order() -> None:
    source = "def f(a):\n    return int(a.pop() / len(a))\n"
    made = rewrite_source(source, "elements", calls=["f([1, 7])"], cost=None).source
    assert made.index("pop") < made.index("len") < made.index("//")
