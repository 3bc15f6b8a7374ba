"""The places of a program that can be spelled out, and how: a line, a way of spelling it out, and what that removes.

A candidate is what one recipe would spell out on one line, all of it or one place. What it costs is found by running it
(`rewrite.planner.search`), since names and steps cost tokens in every later frame.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rewrite.evidence.given import Spot, kind_of
from rewrite.planner.risks import LineRisks
from rewrite.planner.weights import PlannerWeights
from rewrite.result import Rewritten

KINDS = ("expressions", "letters", "methods")
"""The recipes of which a plan is put together, by what they add to a trace, the least first."""
DESCRIPTIONS = {
    "expressions": "materialize nested values",
    "letters": "materialize the characters of strings",
    "methods": "spell out string methods as loops",
}


@dataclass(frozen=True)
class Candidate:
    """One line of the original spelled out in one way. gain: what goes of the sum of −log(1 − risk)."""

    line: int
    kind: str
    spots: frozenset[Spot]
    gain: float

    @property
    def what(self) -> str:
        """In words."""
        return DESCRIPTIONS[self.kind]


def changed_spots(made: Rewritten) -> dict[Spot, int]:
    """What a rewrite spelled out, each with its line in the original."""
    return {
        Spot(*span, change.intervention): change.line for change, span in zip(made.changes, made.spans, strict=True)
    }


def list_candidates(places: Mapping[Spot, int], risks: LineRisks, weights: PlannerWeights) -> tuple[Candidate, ...]:
    """What can be spelled out, a line and a kind together, what removes most first. places: spots and their lines."""
    together: defaultdict[tuple[int, str], set[Spot]] = defaultdict(set)
    for spot, line in places.items():
        together[line, kind_of(spot.intervention)].add(spot)
    made = [
        Candidate(line, kind, chosen, risks.lines.get(line, 0.0) * weights.effects[kind] * len(chosen) / len(some))
        for (line, kind), some in together.items()
        for chosen in _parts(frozenset(some))
    ]
    return tuple(sorted((one for one in made if one.gain > 0), key=_order))


def _parts(spots: frozenset[Spot]) -> Iterator[frozenset[Spot]]:
    """All of them, and where there are several each by itself, which removes its share."""
    yield spots
    if len(spots) > 1:
        yield from (frozenset({spot}) for spot in sorted(spots))


def _order(one: Candidate) -> tuple[bool, float, int, int, list[Spot]]:
    """Loops last, which cost most; then what removes most first."""
    return one.kind == "methods", -one.gain, one.line, KINDS.index(one.kind), sorted(one.spots)
