"""The program after each pass of a plan, and the marginal effect of each pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from rewrite.anf.rewrite_result import Rewritten
from rewrite.planner.choice import Candidate
from rewrite.planner.comparison import NOT_COMPARED, PlanComparison
from rewrite.planner.plan import AppliedPass, RejectedPass
from rewrite.planner.program import PlannedProgram
from rewrite.planner.shortening import Pass


@dataclass(frozen=True)
class PlanStage:
    """A program after some passes.

    Attributes:
        made: The program.
        tokens: Tokens of its longest trace.
        risk: Its predicted risk, 0..1; None if it is unknown.
        line: Line of the original that the last pass changed, from 1; 0 for the original itself.
        what: What the last pass did.
        why: Why it was applied.
        repair: The chance that it repairs the failure, 0..1; None if no failure is known.
        siblings: Other lines that the last pass changed in the same way.
    """

    made: Rewritten
    tokens: int
    risk: float | None
    line: int = 0
    what: str = ""
    why: str = ""
    repair: float | None = None
    siblings: tuple[int, ...] = ()


@dataclass(frozen=True)
class Proposal:
    """A plan before it is compared.

    Attributes:
        stages: The program, then the program after each pass.
        passes: The passes, in order.
        rejected: The passes that were not applied, each with the reason.
        notes: Remarks.
        found: How it compares with the program.
        support: How far the map supports what it predicts, or that no form gains enough.
    """

    stages: tuple[PlanStage, ...]
    passes: tuple[Candidate | Pass, ...] = ()
    rejected: tuple[RejectedPass, ...] = ()
    notes: tuple[str, ...] = ()
    found: PlanComparison = NOT_COMPARED
    support: str = ""


def first_stage(program: PlannedProgram) -> PlanStage:
    """The program itself. Asking about it again repairs no failure."""
    risk = program.risk.risk if program.risk else None
    chance = None if program.unchanged is None else 0.0
    return PlanStage(Rewritten(program.source, False), program.original, risk, repair=chance)


def marginal_effects(stages: Sequence[PlanStage]) -> tuple[AppliedPass, ...]:
    """One row for each pass: the difference to the stage before it. Rows add up to the totals.

    Risks are differences of probabilities. They are None in all rows if the risk of one stage is unknown, since the
    others would not add up.
    """
    known = all(stage.risk is not None for stage in stages)
    return tuple(
        AppliedPass(
            after.line,
            after.what,
            after.tokens - before.tokens,
            (before.risk or 0.0) - (after.risk or 0.0) if known else None,
            after.why,
            None if before.repair is None or after.repair is None else after.repair - before.repair,
            after.siblings,
        )
        for before, after in pairwise(stages)
    )
