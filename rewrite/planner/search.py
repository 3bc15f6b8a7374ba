"""What is worth its tokens: a greedy selection among candidates, each counted by running it.

First every candidate is tried alone, the riskiest first. Then they are taken one by one, one a line, by the risk that
goes for a token, as long as it is worth it and the whole stays within the limit. At last the whole is run, and while it
is over the limit, what is worth least is taken back. It is no search for the best selection: what candidates add to
each other's frames is only seen at the end (`bench/planned.py --exact` says what that loses). Nothing is drawn at
random.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rewrite.planner.candidates import Candidate
from rewrite.planner.weights import PlannerWeights

MAX_TRIED = 32
"""So many candidates are run alone; the others remove less, and are left."""

Tokens = Callable[[frozenset[Candidate]], int | None]
"""The tokens of the longest trace when these are spelled out; None where they are too many to be counted."""


@dataclass(frozen=True)
class Selection:
    """What was selected.

    Attributes:
        chosen: The candidates, what is worth most first, each with the tokens that it adds alone.
        tokens: Tokens of the longest trace with all of them.
        rejected: The other candidates, each with the tokens that it adds alone and why it was rejected.
    """

    chosen: tuple[tuple[Candidate, int], ...]
    tokens: int
    rejected: tuple[tuple[Candidate, int | None, str], ...] = ()


def choose(
    candidates: Sequence[Candidate], tokens: Tokens, original: int, limit: int, weights: PlannerWeights
) -> Selection:
    """The candidates that are worth their tokens, within `limit`. original: the tokens of the program as it is."""
    found = priced(candidates, tokens, original, limit)
    selected = greedy(found, limit - original, weights)
    chosen, whole = list(selected), original
    while chosen:
        counted = tokens(frozenset(one for one, _ in chosen))
        if counted is not None and counted <= limit:
            whole = counted
            break
        chosen.remove(min(chosen, key=lambda pair: _worth(pair[0].gain, pair[1])))
    alone = dict(found)
    lines = {one.line for one, _ in chosen}
    taken_back = {one for one, _ in selected}
    rejected = [
        (one, alone.get(one), _reason(one, alone.get(one), lines, weights, taken_back, tried=number < MAX_TRIED))
        for number, one in enumerate(candidates)
        if one not in dict(chosen)
    ]
    return Selection(tuple(chosen), whole, tuple(rejected))


def _reason(
    one: Candidate,
    added: int | None,
    lines: set[int],
    weights: PlannerWeights,
    selected: set[Candidate],
    *,
    tried: bool,
) -> str:
    if not tried:
        return f"not tried: {MAX_TRIED} others remove more risk"
    if added is None:
        return "over budget, not countable, or not the same program under the calls"
    if one in selected:
        return "over budget together with the others"
    if one.line in lines:
        return "another candidate is worth more on this line"
    return "not worth its tokens" if one.gain < weights.token * added else "over budget beside those worth more"


def priced(candidates: Sequence[Candidate], tokens: Tokens, original: int, limit: int) -> list[tuple[Candidate, int]]:
    """The first candidates, each with the tokens that it adds alone, but for those that go over the limit."""
    alone = ((one, tokens(frozenset({one}))) for one in candidates[:MAX_TRIED])
    return [(one, counted - original) for one, counted in alone if counted is not None and counted <= limit]


def greedy(priced: Sequence[tuple[Candidate, int]], room: int, weights: PlannerWeights) -> list[tuple[Candidate, int]]:
    """One way for each line, the one that is worth most; then line by line, as long as it is worth it. room: tokens."""
    chosen: dict[int, tuple[Candidate, int]] = {}
    for one, added in sorted(priced, key=lambda pair: (-_worth(pair[0].gain, pair[1]), pair[0].line, pair[0].kind)):
        if one.line not in chosen and one.gain >= weights.token * added and max(added, 0) <= room:
            chosen[one.line] = one, added
            room -= added
    return list(chosen.values())


def _worth(gained: float, added: int) -> float:
    """Risk that goes for a token; a candidate that adds none is worth most."""
    return gained / max(added, 1) + (1e6 if added <= 0 else 0)
