"""The plan of a program within its budget: measure the candidates, choose, and measure what was chosen together.

Gains and tokens add up over lines up to what candidates do to each other's frames. So the chosen ones are applied one
after the other. If the result exceeds the token limit, the choice is repeated with as many tokens fewer; if one of them
removes no risk beside the others, without it. What remains lowers the predicted risk with each row of the plan.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from rewrite.anf.result import Rewritten
from rewrite.evidence.context import InterventionSite
from rewrite.pipeline.recipes import kind_of
from rewrite.planner.candidates import Candidates, Measure, Sites, list_candidates
from rewrite.planner.choice import Candidate, Selection, all_sites, choose
from rewrite.planner.objective import probability
from rewrite.planner.plan import RejectedPass
from rewrite.planner.program import KINDS, PlannedProgram, Variant
from rewrite.planner.stages import PlanStage

DESCRIPTIONS = {
    "expressions": "materialize nested values",
    "idioms": "work on exposed characters and pieces",
    "methods": "replace string methods by loops",
}
OVER_LIMIT = "over the token limit even alone"
NO_GAIN = "it removes no predicted risk"
OTHER_FORM = "another form of the operation removes more risk"
NO_FURTHER_GAIN = "beside the other forms it removes no predicted risk"
NO_TOKENS_LEFT = "over the token limit together with forms that remove more risk"
NO_FORM = "no other form of it"
UNPREDICTED = "the risk of the program cannot be predicted"


@dataclass(frozen=True)
class Materialization:
    """A plan for a program within its budget.

    Attributes:
        stages: The program, then the program after each candidate.
        chosen: The candidates.
        rejected: For each operation that stays as it is, the reason.
    """

    stages: tuple[PlanStage, ...]
    chosen: tuple[Candidate, ...] = ()
    rejected: tuple[RejectedPass, ...] = ()


def materialize(program: PlannedProgram, without: Sites = frozenset()) -> Materialization:
    """The program with the forms that lower its predicted risk most within the token limit.

    Args:
        program: A program within its budget.
        without: Forms that must not be used.
    """
    risk = program.risk.risk if program.risk else None
    first = PlanStage(Rewritten(program.source, False), program.original, risk)
    measure: Measure = cache(program.variant)
    candidates = list_candidates(program, measure, without)
    search, stages = _Search(candidates.groups, program.limit - program.original), [first]
    while (selection := search.choose()).chosen:
        found = _apply(program, measure, first, selection)
        if isinstance(found, Candidate):
            search = search.without(found)
        elif found[-1].tokens > program.limit:
            search = replace(search, room=selection.tokens - (found[-1].tokens - program.limit))
        else:
            stages = found
            break
    rejected = tuple(_rejections(program, candidates, selection, without))
    return Materialization(tuple(stages), selection.chosen, rejected)


@dataclass(frozen=True)
class _Search:
    """What can still be chosen, and the tokens that are left."""

    groups: tuple[tuple[Candidate, ...], ...]
    room: int

    def choose(self) -> Selection:
        """The best selection, the candidate with the largest gain first."""
        found = choose(self.groups, self.room)
        return replace(found, chosen=tuple(sorted(found.chosen, key=lambda one: (-one.gain, one.line))))

    def without(self, candidate: Candidate) -> _Search:
        """The search without a candidate."""
        return replace(self, groups=tuple(tuple(one for one in group if one != candidate) for group in self.groups))


def _apply(
    program: PlannedProgram, measure: Measure, first: PlanStage, selection: Selection
) -> list[PlanStage] | Candidate:
    """The program after each chosen candidate, or one that removes no risk or has no trace beside those before it."""
    stages, total, sites = [first], program.risk.total if program.risk else 0.0, frozenset[InterventionSite]()
    for number, one in enumerate(selection.chosen, 1):
        sites |= one.sites
        variant = measure(sites)
        if number == len(selection.chosen) and isinstance(variant, Variant):
            variant = program.readable(sites, variant)
        if isinstance(variant, str) or variant.total >= total:
            return one
        why = program.risk.why.get(one.line, "") if program.risk else ""
        total = variant.total
        stages.append(PlanStage(variant.made, variant.tokens, probability(total), one.line, describe(one.sites), why))
    return stages


def describe(sites: Sites) -> str:
    """What forms do, in words: by the recipe that changes most."""
    return DESCRIPTIONS[max((kind_of(one.intervention) for one in sites), key=KINDS.index)]


def _rejections(
    program: PlannedProgram, candidates: Candidates, selection: Selection, without: Sites
) -> Iterator[RejectedPass]:
    """For each form that was not chosen, and each operation without another form, the reason."""
    chosen = all_sites(selection.chosen)
    unlimited = choose(candidates.groups, sum(abs(one.tokens) for group in candidates.groups for one in group))
    wanted = all_sites(unlimited.chosen)
    spans = {one[:2] for one in chosen}
    for site, line in program.operations.sites.items():
        if site in chosen or site in without:
            continue
        what = f"{describe(frozenset({site}))}, {_code(program.source[slice(*site[:2])])}"
        one = candidates.of(site)
        if one is None:
            reason = OTHER_FORM if site[:2] in spans else candidates.reasons.get(site, UNPREDICTED)
            yield RejectedPass(line, what, None, None, reason)
            continue
        reason = (
            OVER_LIMIT
            if one.tokens > program.limit - program.original
            else OTHER_FORM
            if site[:2] in spans
            else NO_GAIN
            if one.gain <= 0
            else NO_TOKENS_LEFT
            if site in wanted
            else NO_FURTHER_GAIN
        )
        before = program.risk.total if program.risk else 0.0
        removed = probability(before) - probability(before - one.gain)
        yield RejectedPass(line, what, one.tokens, removed, reason)
    yield from _without_form(program)


def _without_form(program: PlannedProgram) -> Iterator[RejectedPass]:
    """The operations that have no other form, with the rewriter's reason where it has one."""
    known = {line for line, _ in program.operations.left}
    yield from (RejectedPass(line, "not rewritten", None, None, why) for line, why in program.operations.left)
    formed = {site[:2] for site in program.operations.sites}
    for line, start, end in _operations(program.source):
        if line in program.executed and (start, end) not in formed and line not in known:
            yield RejectedPass(line, f"keep {_code(program.source[start:end])}", None, None, NO_FORM)


def _operations(source: str) -> Iterator[tuple[int, int, int]]:
    """The expressions that compute a value, each with its line and its span in the source."""
    lines = source.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def offset(line: int, column: int) -> int:
        text = lines[line - 1].encode("utf-8", "surrogatepass")[:column]
        return starts[line - 1] + len(text.decode("utf-8", "surrogatepass"))

    kinds = (ast.Call, ast.BinOp, ast.Compare, ast.JoinedStr, ast.Subscript)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, kinds) and not isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
            end = (node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
            yield node.lineno, offset(node.lineno, node.col_offset), offset(*end)


def _code(text: str) -> str:
    """Source on one line, cut where it is long."""
    code = " ".join(text.split())
    return code if len(code) <= 40 else f"{code[:39]}…"
