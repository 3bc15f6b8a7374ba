"""The choice of forms for the operations of a program: a multiple-choice knapsack, solved exactly.

Candidates that exclude each other are a group. Gains add up over groups, since the objective is a sum over steps
(`rewrite.planner.objective`). The search is that of G. L. Nemhauser and Z. Ullmann (1969): group after group, it keeps
the selections that no other one beats in both tokens and gain.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rewrite.evidence.context import InterventionSite


@dataclass(frozen=True)
class Candidate:
    """Forms of one or more operations of a line, measured together in the rewritten program.

    Attributes:
        line: The line of the original, from 1.
        sites: The operations, each with the intervention that gives it another form.
        tokens: Tokens that the candidate alone adds to the longest trace.
        gain: What it alone removes from the objective, a sum of −log(1 − risk).
        is_certain: Whether the gain is beyond the errors of the reliability map. Others are not chosen.
    """

    line: int
    sites: frozenset[InterventionSite]
    tokens: int
    gain: float
    is_certain: bool = True


@dataclass(frozen=True)
class CandidateSet:
    """At most one candidate of each group, with the sums of their tokens and gains."""

    chosen: tuple[Candidate, ...] = ()
    tokens: int = 0
    gain: float = 0.0

    def with_candidate(self, one: Candidate) -> CandidateSet:
        """The selection with one more candidate."""
        return CandidateSet((*self.chosen, one), self.tokens + one.tokens, self.gain + one.gain)


def choose(groups: Iterable[Sequence[Candidate]], limit: int) -> CandidateSet:
    """The selection with the largest gain within a token limit; among equal gains the one with the fewest tokens.

    Args:
        groups: The candidates; those of a group exclude each other. Tokens and gains add up over groups.
        limit: Tokens that a selection may add.

    Example:
        >>> cheap, good, other = (Candidate(1, frozenset(), *cost) for cost in ((5, 1.0), (9, 2.0), (4, 1.5)))
        >>> [choose([[cheap, good], [other]], limit).gain for limit in (3, 9, 13)]
        [0.0, 2.5, 3.5]
    """
    kept = [CandidateSet()]
    for group in groups:
        kept = _undominated(
            [*kept, *(one.with_candidate(added) for one in kept for added in group if added.is_certain)]
        )
    return max((one for one in kept if one.tokens <= limit), key=lambda one: one.gain, default=CandidateSet())


def all_sites(chosen: Iterable[Candidate]) -> frozenset[InterventionSite]:
    """The forms of some candidates together."""
    return frozenset[InterventionSite]().union(*(one.sites for one in chosen))


def _undominated(found: Iterable[CandidateSet]) -> list[CandidateSet]:
    """The selections with a larger gain than each one that has no more tokens, the fewest tokens first."""
    kept: list[CandidateSet] = []
    for one in sorted(found, key=lambda one: (one.tokens, -one.gain)):
        if not kept or one.gain > kept[-1].gain:
            kept.append(one)
    return kept
