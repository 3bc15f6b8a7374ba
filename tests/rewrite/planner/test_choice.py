"""The choice of candidates: limits that nothing fits first, then against all selections."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite.planner.choice import Candidate, CandidateSet, choose
from rewrite.planner.repair import Repair


def candidate(tokens: int, gain: float) -> Candidate:
    return Candidate(1, frozenset(), tokens, gain)


def test_nothing_is_chosen_that_does_not_fit() -> None:
    assert choose([[candidate(5, 1.0)]], 4) == CandidateSet()
    assert choose([], -1) == CandidateSet()


def test_what_gains_nothing_is_not_chosen() -> None:
    assert choose([[candidate(-5, -0.1)], [candidate(0, 0.0)]], 10).chosen == ()


def test_what_is_refused_is_not_chosen_whatever_it_gains() -> None:
    assert choose([[Candidate(1, frozenset(), 1, 1.0, "too long")]], 10).chosen == ()


def test_of_two_that_gain_the_same_the_cheaper_one_is_chosen() -> None:
    assert choose([[candidate(9, 1.0), candidate(5, 1.0)]], 10).tokens == 5


def test_tokens_that_one_candidate_saves_are_spent_on_another() -> None:
    assert choose([[candidate(-5, -0.1)], [candidate(8, 1.0)]], 4).tokens == 3


CANDIDATES = st.builds(candidate, st.integers(-4, 9), st.integers(-3, 9).map(float))


@given(st.lists(st.lists(CANDIDATES, max_size=3), max_size=5), st.integers(-2, 25))
def test_no_selection_within_the_limit_gains_more(groups: list[list[Candidate]], limit: int) -> None:
    found = choose(groups, limit)
    possible = [
        (sum(one.gain for one in some if one), -sum(one.tokens for one in some if one))
        for some in product(*([None, *group] for group in groups))
    ]
    best = max((one for one in possible if -one[1] <= limit), default=(0.0, 0))
    assert (found.gain, -found.tokens) == best
    assert len(found.chosen) <= len(groups)
    assert found.tokens == sum(one.tokens for one in found.chosen)


UNCHANGED = Repair(1.5, 0.0, 1.5)
REPAIRS = st.builds(
    Candidate,
    st.just(1),
    st.just(frozenset()),
    st.integers(-4, 9),
    st.integers(-3, 9).map(float),
    st.just(""),
    st.integers(-3, 9).map(lambda tenths: tenths / 10),
    st.integers(0, 5).map(lambda tenths: tenths / 10),
)


def test_after_a_failure_what_covers_nothing_is_not_chosen() -> None:
    assert choose([[Candidate(1, frozenset(), 1, 1.0, ahead=-1.0)]], 10, UNCHANGED).chosen == ()


def test_after_a_failure_a_rewrite_that_raises_the_risk_is_not_chosen() -> None:
    raising = Candidate(1, frozenset(), 1, -0.1, ahead=0.1, covered=0.5)
    assert choose([[raising]], 10, UNCHANGED).chosen == ()
    assert choose([[raising], [candidate(1, 0.2)]], 10, UNCHANGED).gain > 0


@given(st.lists(st.lists(REPAIRS, max_size=3), max_size=4), st.integers(-2, 25), st.sampled_from([0.0, 1.5]))
def test_after_a_failure_no_selection_within_the_limit_has_a_larger_chance(
    groups: list[list[Candidate]], limit: int, least: float
) -> None:
    found = choose(groups, limit, UNCHANGED, least)
    possible = []
    for some in product(*([None, *group] for group in groups)):
        chosen = [one for one in some if one]
        sums = [sum(getattr(one, name) for one in chosen) for name in ("tokens", "gain", "ahead", "covered")]
        if sums[0] <= limit and sums[1] > least and sums[3] > 0:
            possible.append(UNCHANGED.worth(sums[2], sums[3]))
    assert bool(possible) == bool(found.chosen)
    if possible:
        assert UNCHANGED.worth(found.ahead, found.covered) == pytest.approx(max(possible))
