"""Pairs counted by hand, and the test against published and worked-out values."""

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.paired import Pair, compare, mcnemar, told


def pairs(both: int, gained: int, lost: int, neither: int) -> list[Pair]:
    counts = [(True, True, both), (False, True, gained), (True, False, lost), (False, False, neither)]
    kinds = [(before, after) for before, after, count in counts for _ in range(count)]
    return [Pair(before, after, f"program {number}") for number, (before, after) in enumerate(kinds)]


def test_no_pairs_are_no_difference() -> None:
    found = compare([])
    assert (found.samples, found.difference, found.p, found.interval) == (0, 0.0, 1.0, None)


@pytest.mark.parametrize(
    ("gained", "lost", "p"),
    [
        # R's exact2x2::mcnemar.exact and statsmodels' mcnemar(exact=True) on [[101, 121], [59, 33]].
        (121, 59, 4.434444e-06),
        (6, 0, 0.03125),
        (5, 0, 0.0625),
        (3, 3, 1.0),
        (0, 0, 1.0),
    ],
)
def test_the_test_of_known_tables(gained: int, lost: int, p: float) -> None:
    assert mcnemar(gained, lost) == pytest.approx(p, rel=1e-5)


@given(gained=st.integers(0, 60), lost=st.integers(0, 60))
def test_it_is_the_binomial_test_and_has_no_side(gained: int, lost: int) -> None:
    changed, least = gained + lost, min(gained, lost)
    expected = min(1.0, 2 * sum(comb(changed, k) for k in range(least + 1)) / 2**changed)
    assert mcnemar(gained, lost) == pytest.approx(expected) == pytest.approx(mcnemar(lost, gained))


def test_what_did_not_change_counts_in_the_shares_and_not_in_the_test() -> None:
    few, many = compare(pairs(0, 6, 1, 0)), compare(pairs(500, 6, 1, 493))
    assert few.p == many.p
    assert (many.samples, many.before, many.after, many.difference) == (1000, 501, 506, 0.005)


def test_the_interval_of_the_difference_goes_by_programs() -> None:
    alone = compare(pairs(20, 10, 2, 8))
    together = compare([Pair(pair.before, pair.after, f"{n // 5}") for n, pair in enumerate(pairs(20, 10, 2, 8))])
    assert alone.interval and together.interval and (alone.programs, together.programs) == (40, 8)
    assert alone.interval[0] <= alone.difference <= alone.interval[1]
    assert together.interval[1] - together.interval[0] > alone.interval[1] - alone.interval[0]


def test_a_small_p_is_a_bound() -> None:
    assert (told(0.0004), told(0.25)) == ("p < 0.001", "p = 0.250")
