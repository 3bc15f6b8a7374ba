"""The plan of a program within its budget: measure the candidates, choose, and measure what was chosen together.

Gains and tokens add up over lines up to what candidates do to each other's frames. So the chosen ones are applied one
after the other. If the result exceeds the token limit, the choice is repeated with as many tokens fewer; if one of them
removes no further risk, without it. What remains lowers the predicted risk with each row of the plan. After a failure
it lowers it as a whole; otherwise the choice is repeated for a larger gain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rewrite.evidence.context import InterventionSite
from rewrite.planner.candidates import Candidates, describe, list_candidates
from rewrite.planner.choice import Candidate, CandidateSet, choose
from rewrite.planner.objective import least_gain, left_alone, support
from rewrite.planner.program import PlannedProgram, Sites, Variant, changed_sites
from rewrite.planner.reasons import NO_FURTHER_GAIN, list_reasons
from rewrite.planner.repair import Repair
from rewrite.planner.stages import PlanStage, Proposal, first_stage

SAME_PROGRAM = "the other forms compute its value already"
NOTHING_GAINED = "left as it is: no form surely lowers the predicted risk (--explain lists the forms)"


def expose(program: PlannedProgram, without: Sites = frozenset()) -> Proposal:
    """The plan with the forms that lower the predicted risk most within the token limit.

    Args:
        program: A program within its budget.
        without: Forms that must not be used.
    """
    first = first_stage(program)
    listed = list_candidates(program, without)
    search = _Search(listed, program.limit - program.original, program.unchanged)
    stages: tuple[PlanStage, ...] = (first,)
    while (selection := search.choose()).chosen:
        found = _apply(program, first, selection)
        if isinstance(found, _UselessCandidate):
            search = replace(search, candidates=search.candidates.without(found.candidate, found.why))
        elif found[-1].tokens > program.limit:
            search = replace(search, room=selection.tokens - (found[-1].tokens - program.limit))
        elif program.failure is not None and not _falls(first, found[-1]):
            search = replace(search, least=selection.gain)
        else:
            stages = found
            break
    shown = frozenset(changed_sites(stages[-1].made)) | without
    made = Proposal(stages, selection.chosen, tuple(list_reasons(program, search.candidates, selection, shown)))
    if not selection.chosen:
        return replace(made, support=NOTHING_GAINED) if listed.groups and program.failure is None else made
    after = program.predict(stages[-1].made.source)
    if program.risk is None or after is None:
        return made
    if program.failure is None and least_gain(program.risk, after) <= 0:
        rejected = tuple(list_reasons(program, search.candidates.all_uncertain(), CandidateSet(), without))
        return Proposal((first,), rejected=rejected, support=left_alone(program.risk, after))
    return replace(made, support=support(program.risk, after))


@dataclass(frozen=True)
class _Search:
    """What can still be chosen.

    Attributes:
        candidates: The candidates that are left.
        room: The tokens that they may add.
        unchanged: After a failure, the hazards of the program itself.
        least: The gain that a selection must exceed.
    """

    candidates: Candidates
    room: int
    unchanged: Repair | None
    least: float = 0.0

    def choose(self) -> CandidateSet:
        """The best selection, the candidate with the largest gain first."""
        found = choose(self.candidates.groups, self.room, self.unchanged, self.least)
        return replace(found, chosen=tuple(sorted(found.chosen, key=lambda one: (-one.gain, one.line))))


@dataclass(frozen=True)
class _UselessCandidate:
    """A chosen candidate that adds nothing to the others, and why."""

    candidate: Candidate
    why: str


def _falls(before: PlanStage, after: PlanStage) -> bool:
    """Whether the predicted risk falls."""
    return before.risk is not None and after.risk is not None and after.risk < before.risk


def _apply(
    program: PlannedProgram, first: PlanStage, selection: CandidateSet
) -> tuple[PlanStage, ...] | _UselessCandidate:
    """The program after each chosen candidate, or one that changes nothing, has no trace or removes no risk.

    The last program has readable names, so that its row includes what they cost. After a failure, a candidate need not
    remove risk by itself.
    """
    stages, cost, sites = [first], program.risk.cost if program.risk else 0.0, frozenset[InterventionSite]()
    for number, one in enumerate(selection.chosen, 1):
        sites |= one.sites
        variant = program.variant(sites)
        if isinstance(variant, Variant) and variant.made.source == stages[-1].made.source:
            return _UselessCandidate(one, SAME_PROGRAM)
        if number == len(selection.chosen) and isinstance(variant, Variant):
            variant = program.readable(variant)
        if isinstance(variant, str):
            return _UselessCandidate(one, variant)
        if program.failure is None and variant.risk.cost >= cost:
            return _UselessCandidate(one, NO_FURTHER_GAIN)
        why = program.risk.why.get(one.line, "") if program.risk else ""
        cost, repair = variant.risk.cost, program.repair(variant.risk)
        chance = repair.chance if repair else None
        what = describe(one.sites)
        stages.append(PlanStage(variant.made, variant.tokens, variant.risk.risk, one.line, what, why, chance))
    return tuple(stages)
