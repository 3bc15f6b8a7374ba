"""What the planner can materialize: for each line and recipe, all of the line's values or one of them.

The cost of a candidate is measured by running it (`rewrite.planner.materialization`), since variables and frames cost
tokens in every later frame.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from rewrite.anf.result import Rewritten
from rewrite.evidence.context import InterventionSite
from rewrite.pipeline.recipes import kind_of
from rewrite.planner.risks import LineRisks
from rewrite.planner.weights import PlannerWeights

KINDS = ("expressions", "idioms", "methods")
"""The recipes that a plan combines, the one that adds the fewest tokens first."""
EASY = 0.25
"""The part that `i + 1` and the like have of the risk of a line, where other operations have 1."""
_STEP = re.compile(r"\w+\s*[+-]\s*\d+", re.ASCII)
Span = tuple[int, int]
"""Offsets of the first character and after the last one."""
DESCRIPTIONS = {
    "expressions": "materialize nested values",
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
    places: Mapping[InterventionSite, int], source: str, risks: LineRisks, weights: PlannerWeights
) -> tuple[Candidate, ...]:
    """The candidates, loops last, then the largest gain first. A value that an idiom computes gets no loop.

    Args:
        places: The values that can be materialized, with their lines.
        source: The program.
        risks: The risk of each line.
        weights: Weights of the planner.
    """
    easy = frozenset(one[:2] for one in places if _STEP.fullmatch(source[slice(*one[:2])]))
    by_line: defaultdict[int, set[InterventionSite]] = defaultdict(set)
    replaced = {spot[:2] for spot in places if kind_of(spot.intervention) == "idioms"}
    for spot, line in places.items():
        if kind_of(spot.intervention) != "methods" or spot[:2] not in replaced:
            by_line[line].add(spot)
    made = [
        Candidate(line, kind, chosen, risks.lines.get(line, 0.0) * _removed_share(chosen, spots, easy, weights))
        for line, spots in by_line.items()
        for kind, chosen in _parts(spots)
    ]
    return tuple(sorted((one for one in made if one.gain > 0), key=_order))


def _parts(spots: Iterable[InterventionSite]) -> Iterator[tuple[str, frozenset[InterventionSite]]]:
    """By kind all values of a line and each one alone; then the idioms with temporaries for the other values."""
    kinds = {kind: frozenset(one for one in spots if kind_of(one.intervention) == kind) for kind in KINDS}
    for kind, some in kinds.items():
        if some:
            yield kind, some
        if len(some) > 1:
            yield from ((kind, frozenset({spot})) for spot in sorted(some))
    replaced = {one[:2] for one in kinds["idioms"]}
    others = frozenset(one for one in kinds["expressions"] if one[:2] not in replaced)
    if replaced and others:
        yield "idioms", kinds["idioms"] | others


def _removed_share(
    chosen: Iterable[InterventionSite],
    spots: Iterable[InterventionSite],
    easy: Container[Span],
    weights: PlannerWeights,
) -> float:
    """The fraction of the risk of a line that a candidate removes: its operations have equal parts, easy ones less."""

    def part(span: Span) -> float:
        return EASY if span in easy else 1.0

    removed = {one[:2]: weights.effects[kind_of(one.intervention)] for one in chosen}
    return sum(effect * part(span) for span, effect in removed.items()) / sum(map(part, {one[:2] for one in spots}))


def _order(one: Candidate) -> tuple[bool, float, int, int, list[InterventionSite]]:
    """Loops last, since they cost most; then the largest gain first."""
    return one.kind == "methods", -one.gain, one.line, KINDS.index(one.kind), sorted(one.spots)
