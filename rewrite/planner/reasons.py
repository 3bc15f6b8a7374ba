"""Why the other operations of a program stay as they are: a row of `Plan.left` for each."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from string import whitespace

from rewrite.evidence.context import InterventionSite
from rewrite.planner.candidates import Candidates, describe, short_code
from rewrite.planner.choice import CandidateSet, all_sites, choose
from rewrite.planner.line_forms import NO_GAIN, TEMPORARIES, recipe_of
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
NAMED = "its value has a name in the plan, because it is evaluated before a form that was chosen"
_CHANGED = (ast.Store, ast.Del)
UNPREDICTED = "the risk of the program cannot be predicted"


def list_reasons(
    program: PlannedProgram, candidates: Candidates, selection: CandidateSet, shown: Sites, planned: str
) -> Iterator[RejectedPass]:
    """The reason for each form that a plan does not use, and for each operation without another form.

    Siblings with the same reason, which would get the form together, have one row.

    Args:
        program: The program.
        candidates: What could be chosen.
        selection: What was chosen.
        shown: The forms that the plan has, and those that need no reason.
        planned: The source of the plan.
    """
    everything = sum(abs(one.tokens) for group in candidates.groups for one in group)
    wanted = all_sites(choose(candidates.groups, everything, program.unchanged).chosen)
    replaced = {one[:2] for one in all_sites(selection.chosen)}
    named = _assigned_values(planned) - _assigned_values(program.source)
    before = program.risk.total if program.risk else 0.0
    alike: defaultdict[tuple[Sites, str, int | None, float | None, str], list[InterventionSite]] = defaultdict(list)
    for site in program.operations.sites:
        if site in shown:
            continue
        one, tokens, removed = candidates.of(site), None, None
        if recipe_of(site) == TEMPORARIES and _plain(program.source[site.start : site.end]) in named:
            reason = NAMED
        elif one is None:
            reason = OTHER_FORM if site[:2] in replaced else candidates.reasons.get(site, UNPREDICTED)
        elif (tokens := one.tokens) > program.limit - program.original:
            reason = OVER_LIMIT
        else:
            removed = probability(before) - probability(before - one.gain)
            vain = NO_FURTHER_GAIN if program.unchanged is None else NO_FURTHER_REPAIR
            unused = one.refused or (NO_TOKENS_LEFT if site in wanted else vain)
            reason = OTHER_FORM if site[:2] in replaced else unused
            reason += NET * (reason == NO_GAIN and program.in_words)
        alike[program.with_siblings([site]), recipe_of(site), tokens, removed, reason].append(site)
    for (*_, tokens, removed, reason), sites in alike.items():
        first, *others = sorted({program.operations.sites[one] for one in sites})
        yield RejectedPass(first, describe(sites, program.source), tokens, removed, reason, tuple(others))
    yield from _without_form(program)


def _assigned_values(source: str) -> set[str]:
    nodes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Assign))
    return {ast.unparse(node.value) for node in nodes}


def _plain(expression: str) -> str:
    """The expression as `ast.unparse` writes it."""
    return ast.unparse(ast.parse(f"({expression})", mode="eval"))


def _without_form(program: PlannedProgram) -> Iterator[RejectedPass]:
    """The operations that have no other form, with the rewriter's reason where it has one."""
    known = {line for line, _ in program.operations.left}
    yield from (RejectedPass(line, "not rewritten", None, None, why) for line, why in program.operations.left)
    spans = {site[:2] for site in program.operations.sites}
    for line, start, end in _operations(program.source):
        formed = any(_is_around(span, (start, end), program.source) for span in spans)
        if line in program.executed and not formed and line not in known:
            yield RejectedPass(line, f"keep {short_code(program.source[start:end])}", None, None, NO_FORM)


def _is_around(outer: tuple[int, int], inner: tuple[int, int], source: str) -> bool:
    """Whether a span is that of an operation, with or without its parentheses."""
    before, after = source[outer[0] : inner[0]], source[inner[1] : outer[1]]
    inside = outer[0] <= inner[0] and inner[1] <= outer[1]
    return inside and not before.strip("(" + whitespace) and not after.strip(")" + whitespace)


def _operations(source: str) -> Iterator[tuple[int, int, int]]:
    """The expressions that compute a value of the program, each with its line and its span in the source."""
    offset = character_offsets(source)
    tree = ast.parse(source)
    kinds = (ast.Call, ast.BinOp, ast.Compare, ast.JoinedStr, ast.Subscript)
    others = set(_annotations_and_formats(tree))
    for node in ast.walk(tree):
        if isinstance(node, kinds) and node not in others and not isinstance(getattr(node, "ctx", None), _CHANGED):
            end = (node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
            yield node.lineno, offset(node.lineno, node.col_offset), offset(*end)


def _annotations_and_formats(tree: ast.Module) -> Iterator[ast.AST]:
    """What looks like an operation, but is a part of an annotation or the format of a value in an f-string."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            yield node.format_spec
        for name in ("annotation", "returns"):
            if isinstance(found := getattr(node, name, None), ast.expr):
                yield from ast.walk(found)
