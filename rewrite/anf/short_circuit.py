"""Lower short-circuit and conditional evaluation to explicit control flow.

`and`, `or`, conditional expressions and chained comparisons evaluate some of their operands only sometimes; steps for
those operands go under an `if`. Each operand is evaluated at most once and in order, and its truth is tested exactly as
often as in the original.

`tests/rewrite/anf/test_forms.py` shows the ways in which a chain is written: as a value by `_lower_chain`, as a
condition by `rewrite.anf.condition_lowering`, and as nested tests where an `if` has no else branch
(`rewrite.anf.nested_conditions`). `rewrite.anf.condition_forms` decides which becomes control flow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import libcst as cst

from rewrite.analysis.evaluation_order import flatten_boolean
from rewrite.analysis.exact_types import exact_type
from rewrite.anf.condition_forms import becomes_statements, is_mixed
from rewrite.anf.condition_lowering import lower_comparisons, lower_conditional, negated
from rewrite.anf.lowering import Lowering, register
from rewrite.syntax import build


def expand(node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
    """Write control flow that ends with the value of the node in a temporary."""
    if isinstance(node, cst.IfExp):
        return lower_conditional(node, steps, steps.lower_root)
    if isinstance(node, cst.BooleanOperation):
        return _lower_boolean(node, steps)
    assert isinstance(node, cst.Comparison)
    return _lower_chain(node, steps)


def _lower_boolean(node: cst.BooleanOperation, steps: Lowering) -> cst.BaseExpression:
    first, *rest = flatten_boolean(node)
    negate = isinstance(node.operator, cst.Or)
    if is_mixed(node, steps):
        name, flag = steps.fresh_temporary(None, node), steps.fresh_temporary("bool", "decided")
        _lower_all_with_flag(flatten_boolean(node), negate, name, flag, False, steps)
        return cst.Name(name)
    value = steps.lower_root(first)
    name = steps.fresh_temporary(exact_type(node, steps.scope), node)
    steps.assign(name, value)
    _lower_nested(name, negate, [partial(_lower_branch, steps, part) for part in rest], steps)
    if steps.condensed and exact_type(first, steps.scope) == "bool":
        _start_with(name, str(not negate), steps)
    return cst.Name(name)


def _lower_branch(steps: Lowering, node: cst.BaseExpression) -> cst.BaseExpression:
    steps.report_branch(node)
    return steps.lower_root(node)


def _start_with(name: str, known: str, steps: Lowering) -> None:
    """Write `_t1 = name` for a flag that the branch under the test of `name` begins with, and that has its value."""
    branch: Any = steps.out[-1]
    match branch.body.body:
        case [cst.SimpleStatementLine([cst.Assign(targets, cst.Name(value))]) as first, *others] if value == known:
            copy = first.with_changes(body=[cst.Assign(targets, cst.Name(name))])
            steps.report.origins[id(copy)] = copy, steps.report.origins[id(first)][1]
            steps.replace(-1, branch.with_changes(body=branch.body.with_changes(body=[copy, *others])))


def _lower_with_flag(node: cst.BaseExpression, name: str, flag: str, steps: Lowering) -> None:
    """Write the value of an operand into `name` and its truth, tested once, into `flag`.

    In `a and b or c`, Python does not test a false `a` again at the `or`.
    """
    if isinstance(node, cst.BooleanOperation):
        _lower_all_with_flag(flatten_boolean(node), isinstance(node.operator, cst.Or), name, flag, True, steps)
    else:
        steps.assign(name, _lower_branch(steps, node))
        steps.assign(flag, cst.Call(cst.Name("bool"), [cst.Arg(cst.Name(name))]))


def _lower_all_with_flag(
    parts: Sequence[cst.BaseExpression], negate: bool, name: str, flag: str, all_of_them: bool, steps: Lowering
) -> None:
    """Write operand after operand until the truth of one decides; the last is tested only if `all_of_them`."""
    if len(parts) == 1 and not all_of_them:
        steps.assign(name, _lower_branch(steps, parts[0]))
        return
    _lower_with_flag(parts[0], name, flag, steps)
    if len(parts) > 1:
        with steps.block() as rest:
            _lower_all_with_flag(parts[1:], negate, name, flag, all_of_them, steps)
        steps.emit(build.if_(negated(cst.Name(flag), steps) if negate else cst.Name(flag), rest))


def _lower_nested(name: str, negate: bool, parts: Sequence[Callable[[], cst.BaseExpression]], steps: Lowering) -> None:
    """Write `if name:` with the next part assigned to `name`, and so on inside it."""
    if not parts:
        return
    with steps.block() as body:
        steps.assign(name, parts[0]())
        _lower_nested(name, negate, parts[1:], steps)
    test: cst.BaseExpression = cst.Name(name)
    steps.emit(build.if_(negated(test, steps) if negate else test, body))


def _lower_chain(node: cst.Comparison, steps: Lowering) -> cst.BaseExpression:
    parts = lower_comparisons(node, steps)
    value = parts[0]()
    name = steps.fresh_temporary(None, node)
    steps.assign(name, value)
    _lower_nested(name, False, parts[1:], steps)
    return cst.Name(name)


register(becomes_statements, expand, cst.BooleanOperation, cst.IfExp, cst.Comparison)
