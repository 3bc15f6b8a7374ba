"""`match`: the subject, and the guards of cases.

A guard is evaluated when its pattern has matched, and the next pattern is tried if it fails. So one that needs steps is
an `if` in its case, and the cases behind it are a `match` of their own on the same object.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import libcst as cst

from rewrite import build
from rewrite.jumps import leaves
from rewrite.tree import header

if TYPE_CHECKING:
    from rewrite.statements import Bodies


def match(bodies: Bodies, node: cst.Match) -> None:
    steps = bodies.steps
    for place, case in enumerate(node.cases):
        if case.guard is not None and steps.emits_test(case.guard):
            _guarded_match(bodies, node, place)
            return
    fields: dict[str, Any] = {"subject": _subject(bodies, node)}
    cases = [_case(bodies, case, ()) for case in node.cases]
    if any(a is not b for a, b in zip(cases, node.cases, strict=True)):
        fields["cases"] = cases
    bodies.compose(node, fields)


def _guarded_match(bodies: Bodies, node: cst.Match, place: int) -> None:
    """Steps for the guard of a case: inside it, where the pattern has matched. If it fails, the cases behind it follow.

    Those match the same object, under a flag that each case takes back unless it leaves the statement by itself.
    """
    steps = bodies.steps
    subject = steps.save(_subject(bodies, node))
    *before, guarded = node.cases[: place + 1]
    behind = node.cases[place + 1 :]
    flag = ""
    if behind and not all(leaves(case.body) for case in (*before, guarded)):
        flag = steps.fresh("bool", "unmatched")
        steps.assign(flag, cst.Name("True"))
    cases = [_case(bodies, case, _settled(flag, case)) for case in before]
    bodies.compose(
        node, {"subject": subject, "cases": [*cases, _guarded_case(bodies, guarded, _settled(flag, guarded))]}
    )
    if not behind:
        return
    rest = node.with_changes(subject=build.again(subject), cases=behind, leading_lines=())
    if flag:
        with steps.block() as block:
            match(bodies, rest)
        steps.emit(build.if_(cst.Name(flag), block))
    else:
        match(bodies, rest)


def _settled(flag: str, case: cst.MatchCase) -> list[cst.BaseStatement]:
    return [build.assign(flag, cst.Name("False"))] if flag and not leaves(case.body) else []


def _subject(bodies: Bodies, node: cst.Match) -> cst.BaseExpression:
    steps = bodies.steps
    return steps.reduce(node.subject) if isinstance(node.subject, cst.Tuple) else steps.value(node.subject)


def _case(bodies: Bodies, case: cst.MatchCase, prefix: Sequence[cst.BaseStatement]) -> cst.MatchCase:
    with bodies.steps.block():
        suite = bodies.suite(case.body, prefix)
    return case if suite is case.body else case.with_changes(body=suite)


def _guarded_case(bodies: Bodies, case: cst.MatchCase, settled: Sequence[cst.BaseStatement]) -> cst.MatchCase:
    steps = bodies.steps
    assert case.guard is not None
    with steps.block() as inside:
        test = steps.test(case.guard)
        with steps.block():
            suite = bodies.suite(case.body, settled)
        steps.emit(cst.If(header(test), suite))
    none = cst.SimpleWhitespace("")
    return case.with_changes(guard=None, body=build.suite(inside), whitespace_before_if=none, whitespace_after_if=none)
