"""Lower short-circuit and conditional evaluation to explicit control flow.

`and`, `or`, conditional expressions and chained comparisons evaluate some of their operands only sometimes; steps for
those operands go under an `if`. Each operand is evaluated at most once and in order. Its truth is tested exactly as
often as in the original: a condition (`lower_lazy_condition`) tests its last operand once more than a value (`expand`)
does.

`tests/rewrite/anf/test_forms.py` shows the ways in which a chain is written: as a value by `_lower_chain`, as a
condition by `_lower_truth`, and as nested tests where an `if` has no else branch (`rewrite.anf.nested_conditions`).

If the rewrite is condensed (`rewrite.evidence.context`), a condition gets no temporary for what the branch shows, and
conditions are joined by `and` and `or` where no step comes between them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from typing import Any, TypeGuard

import libcst as cst

from rewrite.analysis.effects import ANY_EFFECT, is_constant, is_movable
from rewrite.analysis.evaluation_order import flatten_boolean, non_operands, operands
from rewrite.analysis.exact_types import SIMPLE, exact_type
from rewrite.anf.lowering import Lowering, register
from rewrite.anf.lowering_plan import Answer, Ending, LoweringPlan
from rewrite.anf.rewrite_result import Construct
from rewrite.evidence.assumptions import exactly
from rewrite.evidence.facts import assume, is_known
from rewrite.syntax import build
from rewrite.syntax.operators import opposite_comparison
from rewrite.syntax.tree import as_not_operand, substitute, with_changes

Lazy = cst.BooleanOperation | cst.Comparison
_PLAIN = exactly(*sorted(SIMPLE - {"char"}))
"""Of such operands, `==` and `!=` are opposites."""
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


def _condition_form(node: cst.BaseExpression, plan: LoweringPlan) -> ConditionForm:
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
    match _condition_form(node, plan):
        case ConditionForm.APART:
            named = plan.names_conditions and plan.claim(node) is not None
            return emits_condition(node.expression, plan) or named  # type: ignore[attr-defined]
        case ConditionForm.LAZY if needs_control_flow(node, plan):  # type: ignore[arg-type]
            return True
        case ConditionForm.LAZY if _begins_with_condition(node, plan):
            return emits_condition(node.left, plan)  # type: ignore[attr-defined]
        case ConditionForm.LAZY if plan.condensed:
            return plan.emits_any(_first_operands(node))
        case ConditionForm.LAZY:
            return plan.emits_inside(node)
        case ConditionForm.SHOWN:
            return plan.emits_root(node)
        case ConditionForm.VALUE if plan.condensed:
            return plan.emits_root(node)
    return plan.emits(node)


def lower_condition(node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
    """Lower a condition; the caller must test the truth of the result exactly once, next, as an `if` does."""
    match _condition_form(node, steps):
        case ConditionForm.APART:
            return _lower_not(node, steps)  # type: ignore[arg-type]
        case ConditionForm.LAZY if needs_control_flow(node, steps):  # type: ignore[arg-type]
            return lower_lazy_condition(node, steps)  # type: ignore[arg-type]
        case ConditionForm.LAZY if _begins_with_condition(node, steps):
            return _lower_first(node, steps)  # type: ignore[arg-type]
        case ConditionForm.LAZY if steps.condensed:
            return substitute(node, steps.lower_in_order(_first_operands(node)))
        case ConditionForm.LAZY:
            return steps.lower_parts(node)
        case ConditionForm.CHOSEN if steps.emits(node):
            return lower_conditional_test(node, steps)  # type: ignore[arg-type]
        case ConditionForm.SHOWN | ConditionForm.VALUE if steps.condensed:
            return _without_name(node, steps.lower_root(node), steps)
        case ConditionForm.SHOWN:
            return steps.lower_root(node)
    return steps.lower_operand(node)


def _begins_with_condition(node: cst.BaseExpression, plan: LoweringPlan) -> bool:
    """Whether the first operand of an and/or is lowered as a condition of its own."""
    return plan.condensed and isinstance(node, cst.BooleanOperation) and not _is_long(node, plan)


def _lower_first(node: cst.BooleanOperation, steps: Lowering) -> cst.BaseExpression:
    left = lower_condition(node.left, steps)
    return (
        node
        if left is node.left
        else with_changes(node, {"left": build.as_condition_operand(left, type(node.operator))})
    )


def _first_operands(node: cst.BaseExpression) -> Sequence[cst.BaseExpression]:
    """The operands that are evaluated in any case."""
    parts = operands(node)
    return parts.expressions[: parts.splittable]


def _without_name(node: cst.BaseExpression, value: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
    """The comparison that the last step for a condition gives a name, without the step: the branch shows its value."""
    match value, steps.out[-1:]:
        case (
            cst.Name(value=name),
            [
                cst.SimpleStatementLine(
                    body=[cst.Assign([cst.AssignTarget(cst.Name(value=last))], cst.Comparison() as test)]
                )
            ],
        ) if value is not node and last == name in steps.names.temporaries:
            steps.out.pop()
            return test
    return value


def _is_separate_condition(node: cst.BaseExpression, plan: LoweringPlan) -> bool:
    """Whether the operand of a `not` is a condition of its own."""
    return not plan.names_conditions or is_compound(node)


def _lower_not(node: cst.UnaryOperation, steps: Lowering) -> cst.BaseExpression:
    inner = lower_condition(node.expression, steps)
    claim = steps.claim(node) if steps.names_conditions else None
    if claim is None:
        if inner is node.expression:
            return node
        opposite = opposite_comparison(inner) if steps.condensed else None
        return opposite or with_changes(node, {"expression": as_not_operand(inner)})
    steps.report.applied.append((claim.name, node))
    return steps.materialize(build.not_(evaluate_truth_once(inner, steps)))


def negated(test: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
    """Return the negation of a condition, with a temporary if conditions are materialized."""
    if not steps.names_conditions:
        return build.not_(test)
    once = evaluate_truth_once(test, steps)
    return steps.materialize(build.not_(once if is_constant(once) else steps.materialize(once)))


def is_decided_in_turn(node: cst.BooleanOperation, plan: LoweringPlan) -> bool:
    """Whether a returned and/or becomes a `return` for each operand: those before the last are bools, and one is split.

    Only in a condensed rewrite: which `return` is reached shows the value of each operand.
    """
    first, *_ = conditions = flatten_boolean(node)[:-1]
    if (
        not plan.condensed
        or _is_long(node, plan)
        or not all(is_known(one, exactly("bool"), plan) for one in conditions)
    ):
        return False
    return plan.claim(first) is not None or plan.becomes_statements(node)


def end_if_decided(node: cst.BaseExpression, decisive: bool, end: Callable[[], None], steps: Lowering) -> None:
    """Write `if node:`, or `if not node:` if what decides is False, around statements that end the function.

    Args:
        node: A bool.
        decisive: The value that ends the function.
        end: Writes the statements.
        steps: The lowering of the function.
    """
    assume(node, exactly("bool"), steps)
    claim = steps.claim(node)
    steps.endings[id(node)] = Ending(decisive, end)
    test = lower_condition(node, steps)
    if claim is not None and not any(one is node for _, one in steps.report.applied):
        steps.report.applied.append((claim.name, node))
    if steps.endings.pop(id(node), None) is None:
        return  # a loop ends it
    with steps.block() as body:
        end()
    steps.emit(build.if_(test if decisive else negated_test(test, node, steps), body))


def negated_test(test: cst.BaseExpression, elt: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
    """`not` of a test; a comparison of numbers or strings, or for membership, gets the opposite operator.

    Args:
        test: The test.
        elt: The expression of the original.
        steps: The lowering of the function.
    """
    opposite = opposite_comparison(test, plain=True)
    match elt:
        case cst.Comparison(left, comparisons=[cst.ComparisonTarget(operator, right)]) if opposite is not None:
            if isinstance(operator, cst.In | cst.NotIn):
                return opposite
            equal = isinstance(operator, cst.Equal | cst.NotEqual)
            if equal and all(is_known(one, _PLAIN, steps) for one in (left, right)):
                assume(left, _PLAIN, steps)
                assume(right, _PLAIN, steps)
                return opposite
    return build.not_(test)


def becomes_statements(node: cst.BaseExpression, plan: LoweringPlan) -> Answer:
    """Whether an operand that is evaluated only sometimes needs steps, so that control flow is needed."""
    if isinstance(node, cst.IfExp):
        tested = emits_condition(node.test, plan) if plan.condensed else plan.emits(node.test)
        return Answer(tested or plan.emits_any(non_operands(node)))
    if not is_lazy(node):
        return Answer(False)
    if isinstance(node, cst.BooleanOperation) and _is_mixed(node, plan) and not plan.scope.is_builtin("bool"):
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


def _is_mixed(node: cst.BooleanOperation, plan: LoweringPlan) -> bool:
    """Whether an operand whose truth is tested is itself an and/or of values of unknown type."""
    return any(
        isinstance(part, cst.BooleanOperation) and exact_type(part, plan.scope) is None
        for part in flatten_boolean(node)[:-1]
    )


def expand(node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
    """Write control flow that ends with the value of the node in a temporary."""
    if isinstance(node, cst.IfExp):
        return lower_conditional(node, steps, steps.lower_root)
    if isinstance(node, cst.BooleanOperation):
        return _lower_boolean(node, steps)
    assert isinstance(node, cst.Comparison)
    return _lower_chain(node, steps)


def lower_conditional(
    node: cst.IfExp, steps: Lowering, evaluate: Callable[[cst.BaseExpression], cst.BaseExpression]
) -> cst.BaseExpression:
    """Write a conditional expression as an `if`, and lower each branch with `evaluate`."""
    test = lower_condition(node.test, steps)
    name = steps.fresh_temporary(exact_type(node, steps.scope), node)
    branches = []
    for value in (node.body, node.orelse):
        with steps.block() as branch:
            steps.report_branch(value)
            steps.assign(name, evaluate(value))
        branches.append(branch)
    steps.emit(build.if_(test, *branches))
    return cst.Name(name)


def lower_conditional_test(node: cst.IfExp, steps: Lowering) -> cst.BaseExpression:
    """The same for a conditional expression used as a condition, so that testing the result tests nothing twice."""
    return lower_conditional(node, steps, partial(_lower_truth_value, steps))


def _lower_truth_value(steps: Lowering, node: cst.BaseExpression) -> cst.BaseExpression:
    return evaluate_truth_once(lower_condition(node, steps), steps) if is_compound(node) else steps.lower_root(node)


def evaluate_truth_once(test: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
    """Return a condition as a value with the same truth, so that testing it tests no part a second time.

    As a plain value, a false `a and b` would be `a` itself, whose truth would be tested again.
    """
    if is_not(test):
        inner = evaluate_truth_once(test.expression, steps)  # type: ignore[attr-defined]
        return build.not_(steps.materialize(inner) if steps.claim(inner) is not None else inner)
    if isinstance(test, cst.IfExp) and is_compound(test):
        return lower_conditional_test(test, steps)
    return _lower_truth(test, steps) if is_lazy(test) else test


def _lower_boolean(node: cst.BooleanOperation, steps: Lowering) -> cst.BaseExpression:
    first, *rest = flatten_boolean(node)
    negate = isinstance(node.operator, cst.Or)
    if _is_mixed(node, steps):
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
    parts = _comparisons(node, steps)
    value = parts[0]()
    name = steps.fresh_temporary(None, node)
    steps.assign(name, value)
    _lower_nested(name, False, parts[1:], steps)
    return cst.Name(name)


def _comparisons(node: cst.Comparison, steps: Lowering) -> list[Callable[[], cst.BaseExpression]]:
    """The single comparisons of a chain, each created on demand; they must be requested in order."""
    middle: list[cst.BaseExpression] = []

    def make(index: int) -> cst.BaseExpression:
        target = node.comparisons[index]
        before = build.clone(middle[-1]) if index else steps.lower_operand(node.left)
        if index == 0 and not is_movable(target.comparator, [ANY_EFFECT], steps.scope, steps.bound):
            # An unbound name fails, and must not fail before a name that is read earlier.
            later = ANY_EFFECT if isinstance(target.comparator, cst.Name) else target.comparator
            before = steps.stabilize(before, [later])
        after = steps.lower_operand(target.comparator)
        if index + 1 < len(node.comparisons):
            # Compared twice but evaluated once; the comparison may run any code.
            after = steps.stabilize_object(after)
            middle.append(after)
        return steps.lower_root(cst.Comparison(before, [cst.ComparisonTarget(target.operator, after)]))

    return [partial(make, index) for index in range(len(node.comparisons))]


def lower_lazy_condition(node: Lazy, steps: Lowering) -> cst.BaseExpression:
    """Write a condition as control flow; return what has the truth of `node`, to be tested once."""
    if not steps.condensed:
        return _lower_truth(node, steps)
    name = steps.fresh_temporary(None, node)
    return _lower_joined(lower_conditions(node, steps), _originals(node), _is_or(node), name, steps)


def _lower_truth(node: Lazy, steps: Lowering) -> cst.Name:
    """Write a condition as control flow; return a temporary whose truth is that of `node`.

    In `if a and b`, the truth of `a` is tested once, so a temporary that *is* `a` must not be tested again.
    """
    return _lower_ladder(
        lower_conditions(node, steps), _originals(node), _is_or(node), steps.fresh_temporary(None, node), steps
    )


def _lower_joined(
    parts: Sequence[Callable[[], cst.BaseExpression]],
    originals: Sequence[cst.BaseExpression],
    negate: bool,
    name: str,
    steps: Lowering,
) -> cst.BaseExpression:
    """The same with `and` and `or` where no step comes between two conditions, else with the truth in a temporary."""
    test = parts[0]()
    if len(parts) == 1:
        return test
    with steps.block() as rest:
        value = _lower_joined(parts[1:], originals[1:], negate, name, steps)
        if rest and not (isinstance(value, cst.Name) and value.value == name):
            _assign_truth(value, name, steps)
    return _settled(test, originals, negate, name, rest, steps) if rest else build.join_conditions(test, value, negate)


def _originals(node: Lazy) -> Sequence[cst.BaseExpression]:
    """The operands of an and/or, whose truth the conditions are; none for a comparison chain."""
    return flatten_boolean(node) if isinstance(node, cst.BooleanOperation) else ()


def _is_or(node: Lazy) -> bool:
    return isinstance(node, cst.BooleanOperation) and isinstance(node.operator, cst.Or)


def lower_conditions(node: Lazy, steps: Lowering) -> list[Callable[[], cst.BaseExpression]]:
    """Return the conditions of a conjunction (for `or`: disjunction), each created on demand, in order."""
    if isinstance(node, cst.Comparison):
        made = _comparisons(node, steps)
        return [partial(_named, one, steps) for one in made] if steps.names_conditions else made
    return [partial(lower_condition, part, steps) for part in flatten_boolean(node)]


def _named(make: Callable[[], cst.BaseExpression], steps: Lowering) -> cst.BaseExpression:
    return steps.materialize(make())


def _lower_ladder(
    parts: Sequence[Callable[[], cst.BaseExpression]],
    originals: Sequence[cst.BaseExpression],
    negate: bool,
    name: str,
    steps: Lowering,
) -> cst.Name:
    test = parts[0]()
    if len(parts) == 1:
        _assign_truth(test, name, steps)
        return cst.Name(name)
    with steps.block() as rest:
        _lower_ladder(parts[1:], originals[1:], negate, name, steps)
    return _settled(test, originals, negate, name, rest, steps)


def _assign_truth(test: cst.BaseExpression, name: str, steps: Lowering) -> None:
    """Write the truth of a condition into a temporary."""
    if is_lazy(test):
        _lower_ladder(lower_conditions(test, steps), _originals(test), _is_or(test), name, steps)
    else:
        steps.assign(name, evaluate_truth_once(test, steps))


def _settled(
    test: cst.BaseExpression,
    originals: Sequence[cst.BaseExpression],
    negate: bool,
    name: str,
    rest: Sequence[cst.BaseStatement],
    steps: Lowering,
) -> cst.Name:
    """Write the `if` of a condition whose other operands, evaluated by `rest`, matter only if it does not decide."""
    if originals and _may_test_twice(test, originals[0], steps):
        steps.assign(name, test)
        again = cst.Name(name)
        steps.emit(build.if_(negated(again, steps) if negate else again, rest))
        return cst.Name(name)
    steps.report.constructs.add(Construct.FLAG)
    settled = [build.assign(name, cst.Name("True" if negate else "False"))]
    steps.emit(build.if_(test, settled, rest) if negate else build.if_(test, rest, settled))
    return cst.Name(name)


def _may_test_twice(test: cst.BaseExpression, original: cst.BaseExpression, steps: Lowering) -> bool:
    """Whether the truth of a temporary may be tested twice: calls show that it has a builtin type."""
    if steps.shown is None or not isinstance(test, cst.Name) or test.value not in steps.names.temporaries:
        return False
    if exact_type(test, steps.scope) is not None:
        return True
    seen = steps.shown.of(original)
    only = next(iter(seen.types)) if seen is not None and len(seen.types) == 1 else ""
    return bool(only) and assume(original, exactly(only), steps)


register(becomes_statements, expand, cst.BooleanOperation, cst.IfExp, cst.Comparison)
