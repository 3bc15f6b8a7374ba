"""The choice of forms for the operations of a program: a multiple-choice knapsack, solved exactly.

Candidates that exclude each other are a group. What they do adds up over groups, since both objectives depend on sums
over steps: the predicted risk (`rewrite.planner.objective`), and after a failure the chance of a repair
(`rewrite.planner.repair`). The search is that of G. L. Nemhauser and Z. Ullmann (1969): group after group, it keeps the
selections that no other one beats in tokens and in all sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rewrite.evidence.context import InterventionSite
from rewrite.planner.repair import Repair


@dataclass(frozen=True)
class Candidate:
    """Forms of one or more operations of a line, measured together in the rewritten program.

    Attributes:
        line: The line of the original, from 1.
        sites: The operations, each with the intervention that gives it another form.
        tokens: Tokens that the candidate alone adds to the longest trace.
        gain: What it alone removes from the objective, a sum of −log(1 − risk).
        refused: Why it is not chosen, whatever it gains; "" for one that may be chosen.
        ahead: After a failure: what it alone adds to `Repair.ahead`.
        covered: The same of `Repair.covered`.
    """

    line: int
    sites: frozenset[InterventionSite]
    tokens: int
    gain: float
    refused: str = ""
    ahead: float = 0.0
    covered: float = 0.0


@dataclass(frozen=True)
class CandidateSet:
    """At most one candidate of each group, with the sums of what they do."""

    chosen: tuple[Candidate, ...] = ()
    tokens: int = 0
    gain: float = 0.0
    ahead: float = 0.0
    covered: float = 0.0

    @property
    def in_order(self) -> tuple[Candidate, ...]:
        """The candidates, the one with the largest gain first."""
        return tuple(sorted(self.chosen, key=lambda one: (-one.gain, one.line)))

    def with_candidate(self, one: Candidate) -> CandidateSet:
        """The selection with one more candidate."""
        return CandidateSet(
            (*self.chosen, one),
            self.tokens + one.tokens,
            self.gain + one.gain,
            self.ahead + one.ahead,
            self.covered + one.covered,
        )

    def beats(self, other: CandidateSet) -> bool:
        """Whether it is at least as good in each sum, tokens aside."""
        return self.gain >= other.gain and self.ahead <= other.ahead and self.covered >= other.covered


def choose(
    groups: Iterable[Sequence[Candidate]], limit: int, unchanged: Repair | None = None, least: float = 0.0
) -> CandidateSet:
    """The best selection within a token limit; among equal ones the one with the fewest tokens.

    The best one has the largest gain or, after a failure, the largest chance of a repair and a gain above `least`.

    Args:
        groups: The candidates; those of a group exclude each other. Their numbers add up over groups.
        limit: Tokens that a selection may add.
        unchanged: After a failure: the hazards of the unchanged program.
        least: After a failure: the gain that a selection must exceed, so that the predicted risk falls.

    Example:
        >>> cheap, good, other = (Candidate(1, frozenset(), *cost) for cost in ((5, 1.0), (9, 2.0), (4, 1.5)))
        >>> [choose([[cheap, good], [other]], limit).gain for limit in (3, 9, 13)]
        [0.0, 2.5, 3.5]
    """
    kept = [CandidateSet()]
    for group in groups:
        kept = _undominated(
            [*kept, *(one.with_candidate(added) for one in kept for added in group if not added.refused)]
        )
    fitting = [one for one in kept if one.tokens <= limit]
    if unchanged is None:
        return max(fitting, key=lambda one: one.gain, default=CandidateSet())
    worth = {one: unchanged.worth(one.ahead, one.covered) for one in fitting if one.gain > least and one.covered > 0}
    return max(worth, key=lambda one: worth[one], default=CandidateSet())


def all_sites(chosen: Iterable[Candidate]) -> frozenset[InterventionSite]:
    """The forms of some candidates together."""
    return frozenset[InterventionSite]().union(*(one.sites for one in chosen))


def _undominated(found: Iterable[CandidateSet]) -> list[CandidateSet]:
    """The selections that none with as few tokens beats, the fewest tokens first."""
    kept: list[CandidateSet] = []
    for one in sorted(found, key=lambda one: (one.tokens, -one.gain, one.ahead, -one.covered)):
        if not any(other.beats(one) for other in kept):
            kept.append(one)
    return kept
