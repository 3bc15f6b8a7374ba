"""An `if` without an else branch: `and` and chained comparisons as nested tests, and nested tests as one `and`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeGuard

import libcst as cst

from rewrite.anf.condition_forms import Lazy, is_lazy, needs_control_flow
from rewrite.anf.condition_lowering import lower_condition, lower_conditions
from rewrite.anf.lowering import Lowering
from rewrite.syntax import build
from rewrite.syntax.tree import with_changes


def is_nested_conjunction(node: cst.BaseExpression, steps: Lowering) -> TypeGuard[Lazy]:
    """Whether a condition needs control flow and is an `and` or a chain: without an else branch, nested tests do."""
    if not is_lazy(node) or (isinstance(node, cst.BooleanOperation) and isinstance(node.operator, cst.Or)):
        return False
    return needs_control_flow(node, steps)


def emit_guarded(node: cst.BaseExpression, write: Callable[[], None], steps: Lowering) -> None:
    """Write an `if` with a condition, and in it what `write` writes; a conjunction that needs steps as nested tests."""
    whole = [partial(lower_condition, node, steps)]
    emit_nested(lower_conditions(node, steps) if is_nested_conjunction(node, steps) else whole, write, steps)
    record_whole(node, steps)


def record_whole(node: cst.BaseExpression, steps: Lowering) -> None:
    """Report what stays whole in a part of a comprehension as rewritten: because of it, the comprehension is a loop.

    Only in a condensed rewrite: a plan lists every change, and chooses among them.
    """
    if not steps.condensed:
        return
    known = {id(one) for _, one in steps.report.applied}
    for one in steps.claimed(node):
        claim = steps.claim(one)
        if claim is not None and id(one) not in known:
            steps.report.applied.append((claim.name, one))


def emit_nested(
    conditions: Sequence[Callable[[], cst.BaseExpression]], write: Callable[[], None], steps: Lowering
) -> None:
    """Write an `if` in an `if` for the conditions, and in the last one what `write` writes."""
    if not conditions:
        write()
        return
    test = conditions[0]()
    with steps.block() as body:
        emit_nested(conditions[1:], write, steps)
    steps.emit(conditional(test, body, steps))


def conditional(test: cst.BaseExpression, body: Sequence[cst.BaseStatement], steps: Lowering) -> cst.If:
    """Return an `if` without an else branch; if condensed, `if a:` around nothing but `if b:` tests both."""
    match body:
        case [cst.If(orelse=None) as only] if steps.condensed:
            return with_changes(only, {"test": build.join_conditions(test, only.test)})
    return build.if_(test, body)
