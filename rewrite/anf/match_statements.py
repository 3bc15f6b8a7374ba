"""Lower `match`: the subject, and the guards of cases.

A guard is evaluated after its pattern has matched; if it fails, the next pattern is tried. A guard that needs steps
becomes an `if` in its case, and the cases after it become a `match` of their own on the same object.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from rewrite.analysis.control_flow import ends_with_jump
from rewrite.anf.blocks import COMPOUND, BlockLowering
from rewrite.anf.condition_forms import emits_condition
from rewrite.anf.condition_lowering import lower_condition
from rewrite.syntax import build
from rewrite.syntax.tree import as_header


def match(blocks: BlockLowering, node: cst.Match) -> None:
    """Lower the subject before the statement; a guard that needs steps splits the cases."""
    steps = blocks.steps
    for place, case in enumerate(node.cases):
        if case.guard is not None and emits_condition(case.guard, steps):
            _guarded_match(blocks, node, place)
            return
    fields: dict[str, Any] = {"subject": _subject(blocks, node)}
    cases = [_case(blocks, case, ()) for case in node.cases]
    if any(a is not b for a, b in zip(cases, node.cases, strict=True)):
        fields["cases"] = cases
    blocks.compose(node, fields)


def _guarded_match(blocks: BlockLowering, node: cst.Match, place: int) -> None:
    """Write the steps for a guard inside its case. If the guard fails, the cases after it follow.

    They match the same object, under a flag that each case resets unless it leaves the statement.
    """
    steps = blocks.steps
    subject = steps.materialize(_subject(blocks, node))
    *before, guarded = node.cases[: place + 1]
    behind = node.cases[place + 1 :]
    flag = ""
    if behind and not all(ends_with_jump(case.body) for case in (*before, guarded)):
        flag = steps.fresh_temporary("bool", "unmatched")
        steps.assign(flag, cst.Name("True"))
    cases = [_case(blocks, case, _settled(flag, case)) for case in before]
    blocks.compose(
        node, {"subject": subject, "cases": [*cases, _guarded_case(blocks, guarded, _settled(flag, guarded))]}
    )
    if not behind:
        return
    rest = node.with_changes(subject=build.clone(subject), cases=behind, leading_lines=())
    if flag:
        with steps.block() as block:
            match(blocks, rest)
        steps.emit(build.if_(cst.Name(flag), block))
    else:
        match(blocks, rest)


def _settled(flag: str, case: cst.MatchCase) -> list[cst.BaseStatement]:
    return [build.assign(flag, cst.Name("False"))] if flag and not ends_with_jump(case.body) else []


def _subject(blocks: BlockLowering, node: cst.Match) -> cst.BaseExpression:
    steps = blocks.steps
    return steps.lower_parts(node.subject) if isinstance(node.subject, cst.Tuple) else steps.lower_operand(node.subject)


def _case(blocks: BlockLowering, case: cst.MatchCase, prefix: Sequence[cst.BaseStatement]) -> cst.MatchCase:
    with blocks.steps.block():
        suite = blocks.suite(case.body, prefix)
    return case if suite is case.body else case.with_changes(body=suite)


def _guarded_case(blocks: BlockLowering, case: cst.MatchCase, settled: Sequence[cst.BaseStatement]) -> cst.MatchCase:
    steps = blocks.steps
    assert case.guard is not None
    with steps.block() as inside:
        test = lower_condition(case.guard, steps)
        with steps.block():
            suite = blocks.suite(case.body, settled)
        steps.emit(cst.If(as_header(test), suite))
    none = cst.SimpleWhitespace("")
    return case.with_changes(guard=None, body=build.suite(inside), whitespace_before_if=none, whitespace_after_if=none)


COMPOUND[cst.Match] = match
