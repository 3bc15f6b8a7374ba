"""The greedy choice: bad limits first, then against all choices where these can be tried."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite.evidence.context import InterventionSite
from rewrite.planner.candidates import KINDS, Candidate
from rewrite.planner.materialization import MAX_TRIED, CountTokens, Materialization
from rewrite.planner.materialization import choose_materializations as choose
from rewrite.planner.weights import PlannerWeights

WEIGHTS = PlannerWeights({"expressions": 0.4, "idioms": 0.5, "methods": 0.3}, price=0.0, most=3.0)


def candidate(line: int, risk: float, kind: str = "expressions") -> Candidate:
    return Candidate(line, kind, frozenset({InterventionSite(line, line + 1, kind)}), risk * WEIGHTS.effects[kind])


def chosen_of(
    candidates: Sequence[Candidate], count: CountTokens, original: int, limit: int, weights: PlannerWeights
) -> Materialization:
    """The choice where each candidate's trace shows the gain that was estimated."""
    return choose(candidates, count, lambda one: one.gain, original, limit, weights)


def additive(prices: dict[Candidate, int], original: int = 100) -> CountTokens:
    return lambda chosen: original + sum(prices[one] for one in chosen)


def test_nothing_is_chosen_that_does_not_fit() -> None:
    prices = {candidate(1, 0.5): 50, candidate(2, 0.1): 5}
    choice = chosen_of(tuple(prices), additive(prices), 100, 104, WEIGHTS)
    assert choice.chosen == ()
    assert choice.tokens == 100


def test_what_is_not_worth_its_tokens_is_left() -> None:
    prices = {candidate(1, 0.5): 10, candidate(2, 0.0001): 50}
    weights = PlannerWeights(WEIGHTS.effects, price=0.05, most=3.0)
    choice = chosen_of(tuple(prices), additive(prices), 100, 1000, weights)
    assert [one.line for one, _ in choice.chosen] == [1]


def test_a_trace_that_cannot_be_counted_is_no_choice() -> None:
    one = candidate(1, 0.5)
    assert chosen_of([one], lambda chosen: None if chosen else 100, 100, 1000, WEIGHTS).chosen == ()


def test_candidates_that_cost_more_together_than_alone_are_taken_back() -> None:
    first, second = candidate(1, 0.5), candidate(2, 0.1)
    choice = chosen_of([first, second], lambda chosen: 100 + 40 * len(chosen) ** 2, 100, 150, WEIGHTS)
    assert [one.line for one, _ in choice.chosen] == [1]
    assert choice.tokens == 140


def test_a_rejected_candidate_has_the_gain_that_was_measured_or_none() -> None:
    worse, too_long = candidate(1, 0.5), candidate(2, 0.1)
    prices = {worse: 10, too_long: 500}
    choice = choose(tuple(prices), additive(prices), lambda one: -0.25, 100, 200, WEIGHTS)
    assert {one.line: one.gain for one, _, _ in choice.rejected} == {1: -0.25, 2: pytest.approx(nan, nan_ok=True)}


def test_the_runs_are_bounded() -> None:
    asked = []

    def counted(chosen: frozenset[Candidate]) -> int:
        asked.append(chosen)
        return 100 + len(chosen)

    prices = {candidate(line, 0.1): 1 for line in range(200)}
    chosen_of(tuple(prices), counted, 100, 10_000, WEIGHTS)
    assert len(asked) <= 2 * MAX_TRIED + 1


@given(
    st.lists(st.tuples(st.floats(0.001, 2), st.integers(0, 60), st.sampled_from(KINDS)), max_size=7),
    st.integers(100, 250),
)
def test_the_choice_fits_and_removes_half_of_what_the_best_one_does(
    drawn: list[tuple[float, int, str]], limit: int
) -> None:
    prices = {candidate(line, risk, kind): price for line, (risk, price, kind) in enumerate(drawn)}
    choice = chosen_of(tuple(prices), additive(prices), 100, limit, WEIGHTS)
    assert choice.tokens <= limit
    mine = sum(one.gain for one, _ in choice.chosen)
    fitting = (
        sum(one.gain for one in some)
        for size in range(len(prices) + 1)
        for some in combinations(prices, size)
        if 100 + sum(prices[one] for one in some) <= limit
    )
    largest = max((one.gain for one in prices if 100 + prices[one] <= limit), default=0.0)
    # Greedy by worth, or the single best one, is at least half of the best choice (knapsack); by worth alone it is
    # at least the best choice without what the one that no longer fitted would have added.
    assert mine >= max(fitting) - largest - 1e-9


def test_a_line_is_spelled_out_in_one_way() -> None:
    prices = {candidate(1, 0.5): 10, candidate(1, 0.5, "methods"): 2, candidate(2, 0.5, "methods"): 2}
    choice = chosen_of(tuple(prices), additive(prices), 100, 1000, WEIGHTS)
    assert sorted((one.line, one.kind) for one, _ in choice.chosen) == [(1, "expressions"), (2, "methods")]
    dear = PlannerWeights(WEIGHTS.effects, price=100.0, most=3.0)
    choice = chosen_of(tuple(prices), additive(prices), 100, 1000, dear)
    assert sorted((one.line, one.kind) for one, _ in choice.chosen) == [(1, "methods"), (2, "methods")]


def test_a_candidate_that_removes_no_risk_is_chosen_for_the_tokens_that_it_saves() -> None:
    saving, adding = candidate(1, -0.1), candidate(2, -0.1)
    prices = {saving: -20, adding: 20}
    for price, chosen in ((0.1, []), (1.0, [saving])):
        weights = PlannerWeights(WEIGHTS.effects, price=price, most=3.0)
        choice = chosen_of(tuple(prices), additive(prices), 100, 1000, weights)
        assert [one for one, _ in choice.chosen] == chosen


def test_tokens_of_a_very_short_trace_cost_no_more_than_those_of_a_short_one() -> None:
    prices = {candidate(1, 0.5): 100}
    weights = PlannerWeights(WEIGHTS.effects, price=0.5, most=3.0)
    assert chosen_of(tuple(prices), additive(prices), 100, 300, weights).chosen == ()
    least = PlannerWeights(WEIGHTS.effects, price=0.5, most=3.0, least=200)
    assert len(chosen_of(tuple(prices), additive(prices), 100, 300, least).chosen) == 1
