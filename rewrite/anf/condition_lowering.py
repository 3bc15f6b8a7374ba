"""Lower conditions: what an `if` tests, of which some operands are evaluated only sometimes.

Each operand is evaluated at most once and in order. Its truth is tested exactly as often as in the original: a
condition (`lower_lazy_condition`) tests its last operand once more than a value does (`rewrite.anf.short_circuit`).

If the rewrite is condensed (`rewrite.evidence.context`), a condition gets no temporary for what the branch shows, and
conditions are joined by `and` and `or` where no step comes between them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import libcst as cst

from rewrite.analysis.effects import ANY_EFFECT, is_constant, is_movable
from rewrite.analysis.evaluation_order import flatten_boolean
from rewrite.analysis.exact_types import SIMPLE, exact_type
from rewrite.anf.condition_forms import (
    ConditionForm,
    Lazy,
    begins_with_condition,
    condition_form,
    first_operands,
    is_compound,
    is_lazy,
    is_not,
    needs_control_flow,
)
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import Ending
from rewrite.anf.rewrite_result import Construct
from rewrite.evidence.assumptions import exactly
from rewrite.evidence.facts import assume, is_known
from rewrite.syntax import build
from rewrite.syntax.operators import opposite_comparison
from rewrite.syntax.tree import as_not_operand, substitute, with_changes

_PLAIN = exactly(*sorted(SIMPLE - {"char"}))
"""Of such operands, `==` and `!=` are opposites."""


def lower_condition(node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
    """Lower a condition; the caller must test the truth of the result exactly once, next, as an `if` does."""
    match condition_form(node, steps):
        case ConditionForm.APART:
            return _lower_not(node, steps)  # type: ignore[arg-type]
        case ConditionForm.LAZY if needs_control_flow(node, steps):  # type: ignore[arg-type]
            return lower_lazy_condition(node, steps)  # type: ignore[arg-type]
        case ConditionForm.LAZY if begins_with_condition(node, steps):
            return _lower_first(node, steps)  # type: ignore[arg-type]
        case ConditionForm.LAZY if steps.condensed:
            return substitute(node, steps.lower_in_order(first_operands(node)))
        case ConditionForm.LAZY:
            return steps.lower_parts(node)
        case ConditionForm.CHOSEN if steps.emits(node):
            return lower_conditional_test(node, steps)  # type: ignore[arg-type]
        case ConditionForm.SHOWN | ConditionForm.VALUE if steps.condensed:
            return _without_name(node, steps.lower_root(node), steps)
        case ConditionForm.SHOWN:
            return steps.lower_root(node)
    return steps.lower_operand(node)


def _lower_first(node: cst.BooleanOperation, steps: Lowering) -> cst.BaseExpression:
    left = lower_condition(node.left, steps)
    return (
        node
        if left is node.left
        else with_changes(node, {"left": build.as_condition_operand(left, type(node.operator))})
    )


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
        made = lower_comparisons(node, steps)
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


def lower_comparisons(node: cst.Comparison, steps: Lowering) -> list[Callable[[], cst.BaseExpression]]:
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


def negated(test: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
    """Return the negation of a condition, with a temporary if conditions are materialized."""
    if not steps.names_conditions:
        return build.not_(test)
    once = evaluate_truth_once(test, steps)
    return steps.materialize(build.not_(once if is_constant(once) else steps.materialize(once)))


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
