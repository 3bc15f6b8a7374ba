"""What is worth its tokens: a greedy choice among candidates, each counted by running it.

First every candidate is tried alone, the riskiest first. Then they are taken one by one, one a line, by the risk that
goes for a token, as long as it is worth it and the whole stays within the limit. At last the whole is run, and while it
is over the limit, what is worth least is taken back. It is no search for the best choice: what candidates add to each
other's frames is only seen at the end (`bench/planned.py --exact` says what that loses). Nothing is drawn at random.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rewrite.planner.candidates import Candidate
from rewrite.planner.weights import Weights

TRIED = 32
"""So many candidates are run alone; the others remove less, and are left."""

Tokens = Callable[[frozenset[Candidate]], int | None]
"""The tokens of the longest trace when these are spelled out; None where they are too many to be counted."""


@dataclass(frozen=True)
class Choice:
    """What was chosen, each with the tokens that it adds alone; tokens: of the whole."""

    chosen: tuple[tuple[Candidate, int], ...]
    tokens: int


def choose(candidates: Sequence[Candidate], tokens: Tokens, original: int, limit: int, weights: Weights) -> Choice:
    """The candidates that are worth their tokens, within `limit`. original: the tokens of the program as it is."""
    chosen = greedy(priced(candidates, tokens, original, limit), limit - original, weights)
    while chosen:
        whole = tokens(frozenset(one for one, _ in chosen))
        if whole is not None and whole <= limit:
            return Choice(tuple(chosen), whole)
        chosen.remove(min(chosen, key=lambda pair: _worth(pair[0].gain, pair[1])))
    return Choice((), original)


def priced(candidates: Sequence[Candidate], tokens: Tokens, original: int, limit: int) -> list[tuple[Candidate, int]]:
    """The first candidates, each with the tokens that it adds alone, but for those that go over the limit."""
    alone = ((one, tokens(frozenset({one}))) for one in candidates[:TRIED])
    return [(one, counted - original) for one, counted in alone if counted is not None and counted <= limit]


def greedy(priced: Sequence[tuple[Candidate, int]], room: int, weights: Weights) -> list[tuple[Candidate, int]]:
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
