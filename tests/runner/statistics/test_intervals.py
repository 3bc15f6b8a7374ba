"""Confidence intervals against published values, in their limits, and where there is none."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.statistics.intervals import (
    FEWEST_PROGRAMS,
    accuracy_interval,
    difference_interval,
    format_interval,
    interval_in_percent,
    wilson,
)


def test_the_bounds_of_a_published_example() -> None:
    # Newcombe (1998), Statistics in Medicine 17, table I: 81 of 263.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)


@given(right=st.integers(0, 200), more=st.integers(0, 200))
def test_the_accuracy_lies_in_its_interval(right: int, more: int) -> None:
    count = right + more
    if count:
        low, high = wilson(right, count)
        assert 0 <= low <= right / count + 1e-12 and right / count - 1e-12 <= high <= 1


def test_no_interval_stays_none_in_percent() -> None:
    assert interval_in_percent(None) is None


@pytest.mark.parametrize("programs", [1, 2, FEWEST_PROGRAMS - 1])
def test_below_ten_programs_of_several_samples_there_is_no_interval(programs: int) -> None:
    right, counts = [2] * programs, [3] * programs
    assert accuracy_interval(right, counts) is None and difference_interval(right, counts) is None
    assert accuracy_interval([], []) is None and difference_interval([], []) is None
    assert accuracy_interval([0.5] * programs, [1] * programs) is None, "a sample that is a share of several answers"
    assert format_interval(None) == " (too few programs)"


def test_one_sample_a_program_has_wilsons_interval_however_few_there_are() -> None:
    assert accuracy_interval([1, 0, 1], [1, 1, 1]) == wilson(2, 3)


def test_samples_that_fail_together_are_worth_as_many_as_their_programs() -> None:
    """40 programs of five calls that are all right or all wrong: 200 samples that are worth 40."""
    low, high = accuracy_interval([5] * 20 + [0] * 20, [5] * 40) or (0, 0)
    alone = wilson(100, 200)
    assert high - low > 1.9 * (alone[1] - alone[0])
    assert (low, high) == pytest.approx(wilson(20, 40), abs=0.01)


@pytest.mark.parametrize("right", [0, 5])
def test_without_variance_an_accuracy_is_as_uncertain_as_of_so_many_samples(right: int) -> None:
    found = accuracy_interval([right] * 40, [5] * 40) or (0, 0)
    assert found == pytest.approx(wilson(8 * right, 40), abs=0.015)


def test_equal_shares_are_no_certainty() -> None:
    low, high = accuracy_interval([1] * 20, [2] * 20) or (0.5, 0.5)
    assert low < 0.48 and high > 0.52


def test_no_difference_at_all_has_an_interval_around_zero() -> None:
    low, high = difference_interval([0] * 20, [2] * 20) or (1, 1)
    assert low == -high < 0


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=FEWEST_PROGRAMS, max_size=30))
def test_the_order_of_programs_changes_nothing(pairs: list[tuple[int, int]]) -> None:
    groups = [(right, right + wrong) for right, wrong in pairs if right + wrong]
    shuffled = random.Random(0).sample(groups, len(groups))
    for interval in (accuracy_interval, difference_interval):
        found = interval([one[0] for one in groups], [one[1] for one in groups])
        assert found == interval([one[0] for one in shuffled], [one[1] for one in shuffled])
        if found:
            assert -1 <= found[0] <= found[1] <= 1
