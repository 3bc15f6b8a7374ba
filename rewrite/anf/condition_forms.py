"""Conditions, `and`, `or`, conditional expressions and chained comparisons: which of them become control flow.

The questions write nothing. `rewrite.anf.condition_lowering` writes conditions, `rewrite.anf.short_circuit` values.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TypeGuard

import libcst as cst

from rewrite.analysis.evaluation_order import flatten_boolean, non_operands, operands
from rewrite.analysis.exact_types import exact_type
from rewrite.anf.lowering_plan import Answer, LoweringPlan
from rewrite.evidence.assumptions import exactly
from rewrite.evidence.facts import is_known

Lazy = cst.BooleanOperation | cst.Comparison
_DEEPEST = 20  # operands of one and/or: each adds a nested `if`


def is_not(node: cst.BaseExpression) -> bool:
    """Whether the expression is a `not`."""
    return isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not)


def is_lazy(node: cst.BaseExpression) -> TypeGuard[Lazy]:
    """Whether the expression is an and/or or a chained comparison."""
    return isinstance(node, cst.BooleanOperation) or is_chain(node)


def is_compound(node: cst.BaseExpression) -> bool:
    """Whether a condition tests the truth of several values, or of one that a conditional expression selects."""
    if is_not(node):
        return is_compound(node.expression)  # type: ignore[attr-defined]
    if isinstance(node, cst.IfExp):
        return is_compound(node.body) or is_compound(node.orelse)
    return is_lazy(node)


def is_chain(node: cst.BaseExpression) -> bool:
    """Whether the expression compares more than two values."""
    return isinstance(node, cst.Comparison) and len(node.comparisons) > 1


class ConditionForm(Enum):
    """How a condition is lowered, so that truth is tested as often as in the original."""

    APART = "the operand of a `not`, a condition of its own"
    LAZY = "control flow where it is opened"
    CHOSEN = "control flow, one of whose ends is a condition"
    VALUE = "a value"
    SHOWN = "a comparison, whose value the branch shows"


def condition_form(node: cst.BaseExpression, plan: LoweringPlan) -> ConditionForm:
    """How a condition is lowered."""
    if is_not(node) and _is_separate_condition(node, plan):
        return ConditionForm.APART
    if plan.names_conditions and not is_compound(node) and not plan.is_guard(node):
        return ConditionForm.VALUE
    if is_lazy(node):
        return ConditionForm.LAZY
    if is_compound(node):
        return ConditionForm.CHOSEN
    return ConditionForm.SHOWN if isinstance(node, cst.Comparison) else ConditionForm.VALUE


def emits_condition(node: cst.BaseExpression, plan: LoweringPlan) -> bool:
    """Whether `lower_condition(node, steps)` writes steps."""
    match condition_form(node, plan):
        case ConditionForm.APART:
            named = plan.names_conditions and plan.claim(node) is not None
            return emits_condition(node.expression, plan) or named  # type: ignore[attr-defined]
        case ConditionForm.LAZY if needs_control_flow(node, plan):  # type: ignore[arg-type]
            return True
        case ConditionForm.LAZY if begins_with_condition(node, plan):
            return emits_condition(node.left, plan)  # type: ignore[attr-defined]
        case ConditionForm.LAZY if plan.condensed:
            return plan.emits_any(first_operands(node))
        case ConditionForm.LAZY:
            return plan.emits_inside(node)
        case ConditionForm.SHOWN:
            return plan.emits_root(node)
        case ConditionForm.VALUE if plan.condensed:
            return plan.emits_root(node)
    return plan.emits(node)


def begins_with_condition(node: cst.BaseExpression, plan: LoweringPlan) -> bool:
    """Whether the first operand of an and/or is lowered as a condition of its own."""
    return plan.condensed and isinstance(node, cst.BooleanOperation) and not _is_long(node, plan)


def first_operands(node: cst.BaseExpression) -> Sequence[cst.BaseExpression]:
    """The operands that are evaluated in any case."""
    parts = operands(node)
    return parts.expressions[: parts.splittable]


def _is_separate_condition(node: cst.BaseExpression, plan: LoweringPlan) -> bool:
    """Whether the operand of a `not` is a condition of its own."""
    return not plan.names_conditions or is_compound(node)


def becomes_statements(node: cst.BaseExpression, plan: LoweringPlan) -> Answer:
    """Whether an operand that is evaluated only sometimes needs steps, so that control flow is needed."""
    if isinstance(node, cst.IfExp):
        tested = emits_condition(node.test, plan) if plan.condensed else plan.emits(node.test)
        return Answer(tested or plan.emits_any(non_operands(node)))
    if not is_lazy(node):
        return Answer(False)
    if isinstance(node, cst.BooleanOperation) and is_mixed(node, plan) and not plan.scope.is_builtin("bool"):
        return Answer(False, plan.all_hidden_values(flatten_boolean(node), "the name bool is not the builtin here"))
    return Answer(plan.ask(node, _is_opened_as_value))


def _is_opened_as_value(node: cst.BaseExpression, plan: LoweringPlan) -> Answer:
    """The same question about an and/or or a chained comparison as a value."""
    whole = plan.condensed and plan.is_value_of(node, cst.Return, cst.Assign)
    return _is_opened(node, plan, shown=whole, joined=False)


def _is_opened_as_condition(node: cst.BaseExpression, plan: LoweringPlan) -> Answer:
    """The same question about an and/or or a chained comparison in a condition."""
    return _is_opened(node, plan, shown=plan.condensed, joined=plan.condensed)


def _is_opened(node: cst.BaseExpression, plan: LoweringPlan, *, shown: bool, joined: bool) -> Answer:
    """The answer where the value of the last operand is shown, and where the first operand is a condition itself."""
    if isinstance(node, cst.Comparison):
        return Answer(plan.emits_any(non_operands(node)) or plan.forces_control_flow(node))
    assert isinstance(node, cst.BooleanOperation)
    parts = flatten_boolean(node)
    if _is_long(node, plan):
        return Answer(False, plan.all_hidden_values(parts[1:], f"in an and/or of more than {_DEEPEST} operands"))
    if joined:
        return Answer(max([emits_condition(part, plan) for part in parts[1:]]))
    # As a value, the truth of the first operand would be tested once more than as a condition.
    first = is_compound(parts[0]) and plan.emits(parts[0])
    nested = any(isinstance(part, cst.BooleanOperation) and plan.claim(part) is not None for part in parts)
    emits = plan.emits_root if shown else plan.emits
    rest = max([emits_condition(part, plan) if is_lazy(part) else emits(part) for part in parts[1:]])
    return Answer(rest or first or nested)


def needs_control_flow(node: Lazy, plan: LoweringPlan) -> bool:
    """Whether such a condition becomes control flow; also for atoms as operands if conditions are materialized."""
    few = isinstance(node, cst.BooleanOperation) and not _is_long(node, plan)
    named = plan.names_conditions and few and plan.claim(node) is not None
    return plan.ask(node, _is_opened_as_condition) or named


def _is_long(node: cst.BaseExpression, plan: LoweringPlan) -> bool:
    return plan.ask(node, _has_too_many)


def _has_too_many(node: cst.BaseExpression, plan: LoweringPlan) -> Answer:
    """Whether an and/or in a condition has more operands than are lowered."""
    parts = _conditions(node)
    return Answer(len(parts) > _DEEPEST or any(_is_long(part, plan) for part in parts))


def _conditions(node: cst.BaseExpression) -> Sequence[cst.BaseExpression]:
    """The values whose truth makes up a condition."""
    if is_not(node):
        return (node.expression,)  # type: ignore[attr-defined]
    if isinstance(node, cst.IfExp):
        return node.body, node.orelse
    return flatten_boolean(node) if isinstance(node, cst.BooleanOperation) else ()


def is_mixed(node: cst.BooleanOperation, plan: LoweringPlan) -> bool:
    """Whether an operand whose truth is tested is itself an and/or of values of unknown type."""
    return any(
        isinstance(part, cst.BooleanOperation) and exact_type(part, plan.scope) is None
        for part in flatten_boolean(node)[:-1]
    )


def is_decided_in_turn(node: cst.BooleanOperation, plan: LoweringPlan) -> bool:
    """Whether a returned and/or becomes a `return` for each operand: those before the last are bools, and one is split.

    Only in a condensed rewrite: which `return` is reached shows the value of each operand.
    """
    first, *_ = conditions = flatten_boolean(node)[:-1]
    is_bool = exactly("bool")
    if not plan.condensed or _is_long(node, plan) or not all(is_known(one, is_bool, plan) for one in conditions):
        return False
    return plan.claim(first) is not None or plan.becomes_statements(node)
