"""Whether any rewrite of a failure exposes its operation within the limits of a plan: `bench/planned.py --bound`.

The rewrites are those that a plan after the failure can choose from: the program itself, each form of each operation
alone, the sets of forms that the planner composes for a line, each of these that exposes the operation together with
the forms of other lines that remove most risk or have the largest chance of a repair, and the set with the largest
chance. Each is traced and assessed; more of them than for a plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from math import inf
from typing import NamedTuple

from analyze.diagnosis.failing_operation import OperationDiagnosis
from analyze.risk.risk_model import RiskWeights
from lab.exposure.operation_level import exposure_levels
from rewrite.cost.budget import BUDGET
from rewrite.evidence.gather import gather_evidence
from rewrite.planner.candidates import list_candidates
from rewrite.planner.choice import Candidate, all_sites, choose
from rewrite.planner.discovery import apply_here
from rewrite.planner.program import PlannedProgram, Sites, Variant
from rewrite.planner.repair import KnownFailure, Repair
from rewrite.planner.trace_counter import TraceCounter
from runner.terminal.tables import table_lines

MOST_TOKENS = 2.4
"""Tokens of a rewrite at most, relative to the original."""
VARIANTS = 120
"""Sets of forms that are measured at most; a plan measures `rewrite.planner.line_forms.MAX_TRIED`."""


class ExposedRewrite(NamedTuple):
    """What a rewrite of a failure reaches.

    Attributes:
        level: The exposure level of the operation that failed (`lab.exposure.operation_level`).
        gain: What it removes from the objective, a sum of −log(1 − risk).
        tokens: Its tokens relative to the original's.
    """

    level: int
    gain: float
    tokens: float


class _WithoutLimit(PlannedProgram):
    """A program whose candidates may be longer than a plan."""

    @property
    def limit(self) -> int:
        return self.budget


def exposed_rewrites(
    source: str, call: str, failing: OperationDiagnosis, weights: RiskWeights | None = None
) -> list[ExposedRewrite]:
    """The rewrites of a failure, as far as the trace of the program and its risk are known.

    Args:
        source: The program.
        call: The call that failed.
        failing: The operations that may have failed.
        weights: Weights of the reliability map (default: the published ones).
    """
    evidence = gather_evidence(source, (call,))
    counts = TraceCounter(source, evidence.calls, None)
    program = _WithoutLimit(source, BUDGET, evidence, counts, apply_here, None, weights, failure=KnownFailure())
    if counts.original is None or program.original > BUDGET or program.risk is None:
        return []
    before = program.risk.cost

    def exposed(text: str, gain: float, tokens: float) -> ExposedRewrite | None:
        levels = exposure_levels(failing, source, text, call)
        return None if levels is None else ExposedRewrite(levels.lowest, gain, tokens)

    @cache
    def reached(sites: Sites) -> ExposedRewrite | None:
        if not sites:
            return exposed(source, 0.0, 1.0)
        variant = program.variant(sites)
        if not isinstance(variant, Variant):
            return None
        return exposed(variant.made.source, before - variant.risk.cost, variant.tokens / program.original)

    groups = list_candidates(program, most=VARIANTS).groups
    tried = {
        *(one.sites for group in groups for one in group),
        *(program.with_siblings([one]) for one in program.operations.sites),
    }
    room = int(MOST_TOKENS * program.original) - program.original
    tried |= {frozenset(), frozenset(program.operations.sites), *_selections(groups, room, program.unchanged)}
    for one in (one for group in groups for one in group if (found := reached(one.sites)) and found.level):
        others = [group for group in groups if group[0].line != one.line]
        tried |= {one.sites | more for more in _selections(others, max(0, room - one.tokens), program.unchanged)}
    return [one for one in map(reached, tried) if one is not None]


def _selections(groups: Sequence[Sequence[Candidate]], room: int, unchanged: Repair | None) -> Iterator[Sites]:
    """The forms that remove most risk, within a number of tokens and at all, and those with the largest chance."""
    for limit, failure in ((room, None), (BUDGET, None), (room, unchanged)):
        yield all_sites(choose(groups, limit, failure).chosen)


def bound_table(failures: Sequence[Sequence[ExposedRewrite]]) -> Iterator[str]:
    """For how many failures a rewrite reaches a level within each limit, as a Markdown table.

    Args:
        failures: For each failure its rewrites.

    Example:
        >>> print(*bound_table([[ExposedRewrite(2, -0.1, 1.5), ExposedRewrite(1, 0.1, 3.0)], []]), sep="\\n")
        | of 2 failures | no limit | risk not above | tokens at most 2.4 times | both |
        |---|--:|--:|--:|--:|
        | level 2 | 1 | 0 | 1 | 0 |
        | level 1 or 2 | 1 | 1 | 1 | 0 |
    """
    limits = ((-inf, inf), (0.0, inf), (-inf, MOST_TOKENS), (0.0, MOST_TOKENS))
    rows: list[tuple[object, ...]] = []
    for name, least in (("level 2", 2), ("level 1 or 2", 1)):
        known = [[one for one in found if one.level >= least] for found in failures]
        rows.append((name, *(sum(_within(found, *one) for found in known) for one in limits)))
    columns = (f"of {len(failures)} failures", "no limit", "risk not above", f"tokens at most {MOST_TOKENS} times")
    yield from table_lines((*columns, "both"), rows)


def _within(found: Iterable[ExposedRewrite], least_gain: float, most_tokens: float) -> bool:
    return any(one.gain >= least_gain and one.tokens <= most_tokens for one in found)
