"""The plan of a program within its budget: measure the candidates, choose, and measure what was chosen together.

Gains and tokens add up over lines up to what candidates do to each other's frames. So the chosen ones are applied one
after the other. If the result exceeds the token limit, the choice is repeated with as many tokens fewer; if one of them
removes no further risk, without it. What remains lowers the predicted risk with each row of the plan. After a failure
it lowers it as a whole; otherwise the choice is repeated for a larger gain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import expm1

from rewrite.evidence.context import InterventionSite
from rewrite.planner.candidates import Candidates, describe, list_candidates
from rewrite.planner.choice import CandidateSet, choose
from rewrite.planner.discovery import changed_sites
from rewrite.planner.objective import least_gain, left_alone, support
from rewrite.planner.program import PlannedProgram, Sites, Variant
from rewrite.planner.reasons import NO_FURTHER_GAIN, list_reasons
from rewrite.planner.stages import PlanStage, Proposal, first_stage

SAME_PROGRAM = "the other forms compute its value already"
PRINTED = 0.001
"""A risk is printed in tenths of a percentage point."""
SLIGHT = f"with the other forms in place, it removes less than {50 * PRINTED:g} points of predicted risk"
NOTHING_GAINED = "left as it is: no form surely lowers the predicted risk"


def expose(program: PlannedProgram, without: Sites = frozenset()) -> Proposal:
    """The plan with the forms that lower the predicted risk most within the token limit.

    Args:
        program: A program within its budget.
        without: Forms that must not be used.
    """
    first = first_stage(program)
    listed = list_candidates(program, without)
    candidates, room, least = listed, program.limit - program.original, 0.0
    stages: tuple[PlanStage, ...] = (first,)
    while (selection := choose(candidates.groups, room, program.unchanged, least)).chosen:
        found = _apply(program, first, selection, candidates)
        if isinstance(found, Candidates):
            candidates = found
        elif found[-1].tokens > program.limit:
            room = selection.tokens - (found[-1].tokens - program.limit)
        elif program.failure is not None and not _falls(first, found[-1]):
            least = selection.gain
        else:
            stages = found
            break
    shown = frozenset(changed_sites(stages[-1].made)) | without
    made = Proposal(
        stages, selection.in_order, tuple(list_reasons(program, candidates, selection, shown, stages[-1].made.source))
    )
    if not selection.chosen:
        return replace(made, support=NOTHING_GAINED) if listed.groups and program.failure is None else made
    after = program.predict(stages[-1].made.source)
    if program.risk is None or after is None:
        return made
    if program.failure is None and least_gain(program.risk, after) <= 0:
        rejected = tuple(list_reasons(program, candidates.all_uncertain(), CandidateSet(), without, program.source))
        return Proposal((first,), rejected=rejected, support=left_alone(program.risk, after))
    return replace(made, support=support(program.risk, after))


def _falls(before: PlanStage, after: PlanStage) -> bool:
    """Whether the predicted risk falls."""
    return before.risk is not None and after.risk is not None and after.risk < before.risk


def _apply(
    program: PlannedProgram, first: PlanStage, selection: CandidateSet, candidates: Candidates
) -> tuple[PlanStage, ...] | Candidates:
    """The program after each chosen candidate, or the candidates without one that adds nothing to the others.

    Such a candidate changes nothing, has no trace or, unless a failure is to be repaired, removes no risk by itself, or
    adds tokens for less risk than is printed.
    The last program has readable names, so that its row includes what they cost.
    """
    stages, cost, sites = [first], program.risk.cost if program.risk else 0.0, frozenset[InterventionSite]()
    gains: list[float] = []
    for number, one in enumerate(selection.in_order, 1):
        sites |= one.sites
        variant = program.variant(sites)
        if isinstance(variant, Variant) and variant.made.source == stages[-1].made.source:
            return candidates.without(one, SAME_PROGRAM)
        names = 0
        if number == len(selection.chosen) and isinstance(variant, Variant):
            readable = program.readable(variant)
            variant, names = readable, readable.tokens - variant.tokens
        if isinstance(variant, str):
            return candidates.without(one, variant)
        if program.failure is None and variant.risk.cost >= cost:
            return candidates.without(one, NO_FURTHER_GAIN)
        why = program.risk.why.get(one.line, "") if program.risk else ""
        gains.append(cost - variant.risk.cost)
        cost, repair = variant.risk.cost, program.repair(variant.risk)
        chance = repair.chance if repair else None
        what = describe(one.sites, program.source) + (f"; readable names, {names:+,} tokens" if names > 0 else "")
        others = {program.operations.sites[site] for site in one.sites} - {one.line}
        stages.append(
            PlanStage(variant.made, variant.tokens, variant.risk.risk, one.line, what, why, chance, (*sorted(others),))
        )
    if program.failure is None and (slight := _slight(stages, gains)) is not None:
        return candidates.without(selection.in_order[slight], SLIGHT)
    return tuple(stages)


def _slight(stages: Sequence[PlanStage], gains: Sequence[float]) -> int | None:
    """The last candidate that adds tokens and without which the plan would have the same risk, as it is printed."""
    right = 1 - (stages[-1].risk or 0.0)
    steps = [
        (after.tokens > before.tokens, gain) for (before, after), gain in zip(pairwise(stages), gains, strict=True)
    ]
    found = (number for number, (adds, gain) in enumerate(steps) if adds and -expm1(-gain) * right < PRINTED / 2)
    return max(found, default=None)
