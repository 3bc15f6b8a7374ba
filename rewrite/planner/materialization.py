"""The choice of values to materialize: the most risk removed beyond the price of the tokens, within the token limit.

The first candidates are traced alone (`MAX_TRIED`), loops last, otherwise the largest estimated gain first. Then a
greedy selection takes candidates by the gain beyond the price of their tokens, one for each value. At last all chosen
candidates are traced together; while the trace is over the limit, the candidate with the lowest ratio of gain to tokens
is dropped, as it is if their trace cannot be counted. What candidates add to each other's frames is only seen then
(`bench/planned.py --exact` measures what the selection loses against the best one).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import nan

from rewrite.cost.greedy_selection import select
from rewrite.evidence.context import InterventionSite
from rewrite.planner.candidates import Candidate
from rewrite.planner.weights import PlannerWeights

MAX_TRIED = 32
"""Number of candidates that are traced alone. The others come later in that order and are rejected."""
UNCOUNTED = "its trace cannot be counted, or the program does something else under the calls"
OVER_LIMIT = "over the token limit even alone"
TOGETHER = "over the token limit together with the other candidates"
SAME_LINE = "another candidate for this value or line removes more risk beyond the price of its tokens"
NO_GAIN = "it removes no predicted risk"
TOO_LITTLE_GAIN = "it removes too little risk for its tokens"
NO_TOKENS_LEFT = "over the token limit together with candidates that were chosen before it"

CountTokens = Callable[[frozenset[Candidate]], int | None]
"""The tokens of the longest trace with some candidates applied; None if the trace cannot be counted."""
MeasureGain = Callable[[Candidate], float]
"""The risk that a candidate removes alone: estimated from its line, or measured in its trace if that is more."""
Costed = tuple[Candidate, int]
"""A candidate and the tokens that it adds alone."""


@dataclass(frozen=True)
class Materialization:
    """The candidates that were chosen and those that were not.

    Attributes:
        chosen: The candidates with the tokens that each adds alone, in the order of choice.
        tokens: Tokens of the longest trace with all of them.
        rejected: The other candidates, each with the tokens that it adds alone and the reason. The gain of one that was
            not measured is nan.
    """

    chosen: tuple[Costed, ...]
    tokens: int
    rejected: tuple[tuple[Candidate, int | None, str], ...] = ()


def choose_materializations(
    candidates: Sequence[Candidate],
    count: CountTokens,
    gain: MeasureGain,
    original: int,
    limit: int,
    weights: PlannerWeights,
) -> Materialization:
    """The candidates that remove enough risk for their tokens, within a token limit.

    Args:
        candidates: The candidates, the largest gain first.
        count: Counts the tokens with some candidates applied.
        gain: Measures the risk that a candidate removes.
        original: Tokens of the program as it is.
        limit: Tokens that the result may have.
        weights: Weights of the planner.
    """
    costs = measure_alone(candidates, count, gain, original, limit)
    selected, reasons = select_by_gain(costs, limit - original, weights.price, max(original, weights.least))
    chosen, total = list(selected), original
    while chosen:
        counted = count(frozenset(one for one, _ in chosen))
        if counted is not None and counted <= limit:
            total = counted
            break
        reasons[chosen.pop(chosen.index(min(chosen, key=_ratio)))[0]] = TOGETHER
    alone, kept = {one: (one, added) for one, added in costs}, dict(chosen)
    untried = f"not tried: only {MAX_TRIED} candidates are traced"

    def reject(number: int, one: Candidate) -> tuple[Candidate, int | None, str]:
        measured, added = alone.get(one, (replace(one, gain=nan), None))
        return measured, added, reasons.get(one, UNCOUNTED) if number < MAX_TRIED else untried

    rejected = [reject(number, one) for number, one in enumerate(candidates) if one not in kept]
    return Materialization(tuple(chosen), total, tuple(rejected))


def measure_alone(
    candidates: Sequence[Candidate], count: CountTokens, gain: MeasureGain, original: int, limit: int
) -> list[Costed]:
    """The first candidates with the tokens that each adds alone, without those that cannot be counted.

    The gain of a candidate within the limit is measured; that of another one is nan.
    """
    alone = ((one, count(frozenset({one}))) for one in candidates[:MAX_TRIED])
    return [
        (replace(one, gain=gain(one) if counted <= limit else nan), counted - original)
        for one, counted in alone
        if counted is not None
    ]


def price_of(added: int, base: int, price: float) -> float:
    """The least gain of a plan that adds some tokens.

    It grows with the square of the tokens: a few are nearly free, and twice the trace has to be justified. Savings
    count in proportion.

    Args:
        added: The tokens that the plan adds.
        base: The tokens that the added ones are measured against: the original's, or `PlannerWeights.least` if more.
        price: The least gain if both are equal.

    >>> [price_of(added, 100, 0.04) for added in (50, 100, -100)]
    [0.01, 0.04, -0.04]
    """
    share = added / base
    return price * share * max(share, 1.0 if share < 0 else 0.0)


def select_by_gain(
    costs: Sequence[Costed], available: int, price: float, base: int
) -> tuple[tuple[Costed, ...], dict[Candidate, str]]:
    """Greedy selection by the gain beyond the price of the tokens, one candidate for each value.

    Args:
        costs: The candidates with the tokens that each adds alone. Tokens are taken to add up.
        available: Tokens that all together may add.
        price: The least gain of a plan that doubles the trace.
        base: The tokens that added ones are measured against (`price_of`).

    Returns:
        The chosen candidates in the order of choice, and for each other one why it was rejected.
    """

    def price_after(chosen: Sequence[Costed], added: int) -> float:
        before = sum(tokens for _, tokens in chosen)
        return price_of(before + added, base, price) - price_of(before, base, price)

    def measure(chosen: tuple[Costed, ...], costed: Costed) -> tuple[Costed, ...] | str:
        one, added = costed
        if added > available:
            return OVER_LIMIT
        if any(_overlap(one, other) for other, _ in chosen):
            return SAME_LINE
        if one.gain <= 0 <= added:
            return NO_GAIN
        if one.gain < price_after(chosen, added):
            return TOO_LITTLE_GAIN
        fits = max(added, 0) <= available - sum(tokens for _, tokens in chosen)
        return (*chosen, costed) if fits else NO_TOKENS_LEFT

    def prefer(_: tuple[Costed, ...], found: Sequence[tuple[Costed, ...]]) -> tuple[Costed, ...] | None:
        return min(found, key=order, default=None)

    def order(chosen: tuple[Costed, ...]) -> tuple[float, int, str]:
        *before, (one, added) = chosen
        return price_after(before, added) - one.gain, one.line, one.kind

    start: tuple[Costed, ...] = ()
    found = select(start, lambda chosen: [one for one in costs if one not in chosen], measure, prefer)
    return found.last, {one.candidate[0]: one.reason for one in found.rejected}


def _overlap(one: Candidate, other: Candidate) -> bool:
    """Whether two candidates of a line concern one value, or all, or one loops over the other's value."""
    if one.line != other.line:
        return False
    kinds = {one.kind, other.kind}
    nested = "methods" in kinds and len(kinds) > 1
    pairs = [(a, b) for a in one.spots for b in other.spots]
    same = any(a[:2] == b[:2] or (nested and _nests(a, b)) for a, b in pairs)
    return same or len(one.spots) > 1 or len(other.spots) > 1


def _nests(one: InterventionSite, other: InterventionSite) -> bool:
    return (one.start <= other.start and other.end <= one.end) or (other.start <= one.start and one.end <= other.end)


def _ratio(costed: Costed) -> float:
    """Gain for a token; a candidate that adds no tokens has the highest."""
    one, added = costed
    return one.gain / max(added, 1) + (1e6 if added <= 0 else 0)
