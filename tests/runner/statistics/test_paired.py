"""Pairs counted by hand, and the test against published values, its definition, and McNemar's."""

from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.statistics.intervals import wilson
from runner.statistics.paired import AnswerPair, compare_pairs, format_p, sign_flip_p


def pairs(both: int, gained: int, lost: int, neither: int) -> list[AnswerPair]:
    counts = [(True, True, both), (False, True, gained), (True, False, lost), (False, False, neither)]
    kinds = [(before, after) for before, after, count in counts for _ in range(count)]
    return [AnswerPair(before, after, f"program {number}") for number, (before, after) in enumerate(kinds)]


def test_no_pairs_are_no_difference() -> None:
    found = compare_pairs([])
    assert (found.samples, found.difference, found.p, found.interval) == (0, 0.0, 1.0, None)
    assert found.before_interval is None and found.after_interval is None


def test_calls_of_one_program_count_as_one() -> None:
    """48 calls of 12 programs: four programs whose four calls are gained are four observations, not sixteen."""
    found = compare_pairs([AnswerPair(False, program < 4, str(program)) for program in range(12) for _ in range(4)])
    assert (found.samples, found.programs, found.gained, found.lost, found.p) == (48, 12, 16, 0, 0.125)


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
def test_with_one_call_a_program_it_is_mcnemars_exact_test(gained: int, lost: int, p: float) -> None:
    assert compare_pairs(pairs(7, gained, lost, 5)).p == pytest.approx(p, rel=1e-5)


@given(gained=st.integers(0, 60), lost=st.integers(0, 60))
def test_of_equal_differences_it_is_the_binomial_test_and_has_no_side(gained: int, lost: int) -> None:
    changed, least = gained + lost, min(gained, lost)
    expected = min(1.0, 2 * sum(comb(changed, k) for k in range(least + 1)) / 2**changed)
    assert sign_flip_p([1] * gained + [-1] * lost) == pytest.approx(expected)
    assert sign_flip_p([-5] * gained + [5] * lost) == pytest.approx(expected)


@pytest.mark.medium
@given(st.lists(st.one_of(st.integers(-4, 4), st.fractions(-2, 2, max_denominator=6)), max_size=9))
def test_it_counts_all_assignments_of_signs(differences: list[int | Fraction]) -> None:
    known = [Fraction(one) for one in differences]
    pairs = (zip(signs, known, strict=True) for signs in product((1, -1), repeat=len(known)))
    sums = [abs(sum((sign * one for sign, one in pair), Fraction())) for pair in pairs]
    found = abs(sum(known, Fraction()))
    assert sign_flip_p(differences) == pytest.approx(sum(one >= found for one in sums) / len(sums))


def test_what_did_not_change_counts_in_the_accuracy_and_not_in_the_test() -> None:
    few, many = compare_pairs(pairs(0, 6, 1, 0)), compare_pairs(pairs(500, 6, 1, 493))
    assert few.p == many.p
    assert (many.samples, many.before, many.after, many.difference) == (1000, 501, 506, 0.005)
    assert (many.before_interval, many.after_interval) == (wilson(501, 1000), wilson(506, 1000))


def test_the_interval_of_the_difference_is_clustered_by_program() -> None:
    every = pairs(20, 10, 2, 18)
    alone = compare_pairs(every)
    together = compare_pairs([AnswerPair(pair.before, pair.after, f"{n // 5}") for n, pair in enumerate(every)])
    assert alone.interval and together.interval and (alone.programs, together.programs) == (50, 10)
    assert alone.interval[0] <= alone.difference <= alone.interval[1]
    assert together.interval[1] - together.interval[0] > alone.interval[1] - alone.interval[0]


def test_where_only_failures_were_asked_again_there_is_no_test() -> None:
    assert compare_pairs(pairs(0, 6, 0, 3), tested=False).p is None


def test_a_small_p_is_a_bound() -> None:
    assert (format_p(0.0004), format_p(0.25)) == ("p < 0.001", "p = 0.250")
