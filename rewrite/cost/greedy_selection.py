"""Greedy selection: which candidates to apply to a program, each measured before it is chosen.

`select` is the search of two callers, which differ in their states, their measure and their preference:

    rewrite.cost.cost_limit      which changes to leave out until a rewrite is within its token limit
    rewrite.planner.shortening   which passes to apply until a program fits the token budget

The search is deterministic. It does not look for the best set of candidates, which takes exponentially many runs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

CandidateT = TypeVar("CandidateT")
StateT = TypeVar("StateT")


@dataclass(frozen=True)
class Rejection(Generic[CandidateT, StateT]):
    """A candidate that was not chosen in the last round.

    Attributes:
        before: The program without it.
        candidate: The candidate.
        state: The program with the candidate applied; None if it was not measured or cannot be applied.
        reason: Why it cannot be applied; "" for a candidate that was applied and was not the preferred one.
    """

    before: StateT
    candidate: CandidateT
    state: StateT | None
    reason: str


@dataclass(frozen=True)
class Selection(Generic[CandidateT, StateT]):
    """The result of a greedy selection.

    Attributes:
        states: The start, then the program after each round.
        rejected: The candidates of the last round that were not chosen.
    """

    states: tuple[StateT, ...]
    rejected: tuple[Rejection[CandidateT, StateT], ...] = ()

    @property
    def last(self) -> StateT:
        """The program with everything that was chosen."""
        return self.states[-1]


def select(
    start: StateT,
    candidates: Callable[[StateT], Sequence[CandidateT]],
    measure: Callable[[StateT, CandidateT], StateT | str],
    prefer: Callable[[StateT, Sequence[StateT]], StateT | None],
    *,
    max_rounds: int = sys.maxsize,
    max_tried: int | None = None,
) -> Selection[CandidateT, StateT]:
    """Apply one candidate a round, the preferred one, until there is none.

    Args:
        start: The program without any candidate.
        candidates: The candidates for a state, the most promising first; none where the search is done.
        measure: The state with a candidate applied, or the reason why it cannot be applied.
        prefer: The next state, given the current one and the measured ones; None where none is better.
        max_rounds: Number of rounds (default: no limit).
        max_tried: Number of candidates that are measured in a round (default: all).

    Example:
        >>> def measure(rest: int, price: int) -> int | str:
        ...     return rest - price if price <= rest else "too expensive"
        >>> found = select(9, lambda rest: (2, 5), measure, lambda rest, found: min(found, default=None))
        >>> found.states, [(one.candidate, one.reason) for one in found.rejected]
        ((9, 4, 2, 0), [(2, 'too expensive'), (5, 'too expensive')])
    """
    states = [start]
    rejected: tuple[Rejection[CandidateT, StateT], ...] = ()
    while len(states) <= max_rounds and (offered := candidates(states[-1])):
        now = states[-1]
        measured = [(one, measure(now, one)) for one in offered[:max_tried]]
        best = prefer(now, [found for _, found in measured if not isinstance(found, str)])
        untried = f"not tried: {max_tried} other candidates come first"
        rejected = (
            *(_rejection(now, one, found) for one, found in measured if found is not best),
            *(Rejection(now, one, None, untried) for one in offered[len(measured) :]),
        )
        if best is None:
            break
        states.append(best)
    return Selection(tuple(states), rejected)


def _rejection(now: StateT, candidate: CandidateT, found: StateT | str) -> Rejection[CandidateT, StateT]:
    return Rejection(now, candidate, None, found) if isinstance(found, str) else Rejection(now, candidate, found, "")
