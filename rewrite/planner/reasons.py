"""Why the other operations of a program stay as they are: a row of `Plan.left` for each."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from rewrite.evidence.context import InterventionSite
from rewrite.planner.candidates import NO_GAIN, Candidates, describe
from rewrite.planner.choice import CandidateSet, all_sites, choose
from rewrite.planner.objective import probability
from rewrite.planner.plan import RejectedPass
from rewrite.planner.program import PlannedProgram, Sites
from rewrite.syntax.character_offsets import character_offsets

OVER_LIMIT = "over the token limit even alone"
NET = ", net of the price of its changes"
OTHER_FORM = "another form of the operation was chosen"
NO_FURTHER_GAIN = "beside the other forms it removes no predicted risk"
NO_FURTHER_REPAIR = "with the other forms, it adds nothing to the chance of a repair, or it raises the predicted risk"
NO_TOKENS_LEFT = "over the token limit together with forms that do more"
NO_FORM = "no other form of it"
UNPREDICTED = "the risk of the program cannot be predicted"


def list_reasons(
    program: PlannedProgram, candidates: Candidates, selection: CandidateSet, shown: Sites
) -> Iterator[RejectedPass]:
    """The reason for each form that a plan does not use, and for each operation without another form.

    Siblings with the same reason, which would get the form together, have one row.

    Args:
        program: The program.
        candidates: What could be chosen.
        selection: What was chosen.
        shown: The forms that the plan has, and those that need no reason.
    """
    everything = sum(abs(one.tokens) for group in candidates.groups for one in group)
    wanted = all_sites(choose(candidates.groups, everything, program.unchanged).chosen)
    replaced = {one[:2] for one in all_sites(selection.chosen)}
    before = program.risk.total if program.risk else 0.0
    alike: defaultdict[tuple[Sites, str, int | None, float | None, str], list[InterventionSite]] = defaultdict(list)
    for site in program.operations.sites:
        if site in shown:
            continue
        one, tokens, removed = candidates.of(site), None, None
        if one is None:
            reason = OTHER_FORM if site[:2] in replaced else candidates.reasons.get(site, UNPREDICTED)
        elif (tokens := one.tokens) > program.limit - program.original:
            reason = OVER_LIMIT
        else:
            removed = probability(before) - probability(before - one.gain)
            vain = NO_FURTHER_GAIN if program.unchanged is None else NO_FURTHER_REPAIR
            unused = one.refused or (NO_TOKENS_LEFT if site in wanted else vain)
            reason = OTHER_FORM if site[:2] in replaced else unused
            reason += NET * (reason == NO_GAIN and program.in_words)
        what = describe(frozenset({site}))
        alike[program.with_siblings([site]), what, tokens, removed, reason].append(site)
    for (_, what, tokens, removed, reason), sites in alike.items():
        first, *others = sorted({program.operations.sites[one] for one in sites})
        codes = ", ".join(dict.fromkeys(_code(program.source[slice(*one[:2])]) for one in sorted(sites)))
        yield RejectedPass(first, f"{what}, {codes}", tokens, removed, reason, tuple(others))
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
    offset = character_offsets(source)
    kinds = (ast.Call, ast.BinOp, ast.Compare, ast.JoinedStr, ast.Subscript)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, kinds) and not isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
            end = (node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
            yield node.lineno, offset(node.lineno, node.col_offset), offset(*end)


def _code(text: str) -> str:
    """Source on one line, cut where it is long."""
    code = " ".join(text.split())
    return code if len(code) <= 40 else f"{code[:39]}…"
