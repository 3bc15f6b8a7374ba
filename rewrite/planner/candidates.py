"""What the planner can materialize: for each line and recipe, all of the line's values or one of them.

The cost of a candidate is measured by running it (`rewrite.planner.materialization`), since variables and frames cost
tokens in every later frame.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rewrite.anf.result import Rewritten
from rewrite.evidence.context import InterventionSite
from rewrite.pipeline.recipes import kind_of
from rewrite.planner.risks import LineRisks
from rewrite.planner.weights import PlannerWeights

KINDS = ("expressions", "letters", "idioms", "methods")
"""The recipes that a plan combines, the one that adds the fewest tokens first."""
DESCRIPTIONS = {
    "expressions": "materialize nested values",
    "letters": "materialize the characters of strings",
    "idioms": "work on exposed characters and pieces",
    "methods": "replace string methods by loops",
}


@dataclass(frozen=True)
class Candidate:
    """Values of one line of the original, materialized by one recipe.

    Attributes:
        line: The line, from 1.
        kind: The recipe, one of KINDS.
        spots: The values.
        gain: The risk that the candidate removes, as a part of the sum of −log(1 − risk): first estimated from that of
            its line, then measured in the trace with it; nan if it was rejected unmeasured.
    """

    line: int
    kind: str
    spots: frozenset[InterventionSite]
    gain: float = field(compare=False)

    @property
    def what(self) -> str:
        """What the candidate does, in words."""
        return DESCRIPTIONS[self.kind]


def changed_spots(made: Rewritten) -> dict[InterventionSite, int]:
    """The values that a rewrite materialized, each with its line in the original."""
    return {
        InterventionSite(*span, change.intervention): change.line
        for change, span in zip(made.changes, made.spans, strict=True)
    }


def list_candidates(
    places: Mapping[InterventionSite, int], risks: LineRisks, weights: PlannerWeights
) -> tuple[Candidate, ...]:
    """The candidates, loops last, then the largest gain first.

    Args:
        places: The values that can be materialized, with their lines.
        risks: The risk of each line.
        weights: Weights of the planner.
    """
    together: defaultdict[tuple[int, str], set[InterventionSite]] = defaultdict(set)
    for spot, line in places.items():
        together[line, kind_of(spot.intervention)].add(spot)
    made = [
        Candidate(line, kind, chosen, risks.lines.get(line, 0.0) * weights.effects[kind] * len(chosen) / len(some))
        for (line, kind), some in together.items()
        for chosen in _parts(frozenset(some))
    ]
    return tuple(sorted((one for one in made if one.gain > 0), key=_order))


def _parts(spots: frozenset[InterventionSite]) -> Iterator[frozenset[InterventionSite]]:
    """All values of a line, and if there are several each one alone, with its part of the gain."""
    yield spots
    if len(spots) > 1:
        yield from (frozenset({spot}) for spot in sorted(spots))


def _order(one: Candidate) -> tuple[bool, float, int, int, list[InterventionSite]]:
    """Loops last, since they cost most; then the largest gain first."""
    return one.kind == "methods", -one.gain, one.line, KINDS.index(one.kind), sorted(one.spots)
