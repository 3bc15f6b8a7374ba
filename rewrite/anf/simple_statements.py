"""Lower simple statements: each handler writes the steps for its parts in order and returns what remains.

A handler gets the `BlockLowering` and the statement. It returns None if nothing remains.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import libcst as cst

from rewrite.analysis.effects import ANY_EFFECT, is_name_stable
from rewrite.analysis.evaluation_order import flatten_boolean, operands
from rewrite.anf.blocks import SMALL, BlockLowering
from rewrite.anf.condition_forms import emits_condition, is_decided_in_turn
from rewrite.anf.condition_lowering import end_if_decided, lower_condition, negated
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.anf.rewrite_result import Construct
from rewrite.syntax import build
from rewrite.syntax.tree import substitute, with_changes

Remains = cst.BaseSmallStatement | None


def return_(blocks: BlockLowering, node: cst.Return) -> Remains:
    """Lower a `return`; one of a conditional expression becomes a `return` for each branch."""
    if node.value is None:
        return node
    if isinstance(node.value, cst.BooleanOperation) and is_decided_in_turn(node.value, blocks.steps):
        return _return_in_turn(blocks, node.value)
    if isinstance(node.value, cst.IfExp) and blocks.steps.becomes_statements(node.value):
        finish = partial(_return_value, blocks)
        test, first, other = _branches(node.value, finish, blocks.steps)
        blocks.steps.emit(build.if_(test, first))
        blocks.steps.out += other
        return None
    value = blocks.steps.lower_root(node.value)
    return node if value is node.value else with_changes(node, {"value": value})


def _return_in_turn(blocks: BlockLowering, node: cst.BooleanOperation) -> Remains:
    """Write `return a and b` as `if not a: return False`, then `return b`."""
    steps = blocks.steps
    decisive = isinstance(node.operator, cst.Or)
    *conditions, last = flatten_boolean(node)
    for one in conditions:
        end_if_decided(one, decisive, partial(steps.emit, cst.Return(cst.Name(str(decisive)))), steps)
    last = steps.detach(last)
    steps.around = cst.SimpleStatementLine([cst.Return(last)])
    return return_(blocks, cst.Return(last))


def _return_value(blocks: BlockLowering, value: cst.BaseExpression) -> Remains:
    whole = isinstance(value, cst.Yield)  # `return yield x` is a syntax error
    return return_(blocks, cst.Return(value if whole else blocks.steps.detach(value)))


def _branches(
    node: cst.IfExp, finish: Callable[[cst.BaseExpression], Remains], steps: Lowering
) -> tuple[cst.BaseExpression, list[cst.BaseStatement], list[cst.BaseStatement]]:
    """Return a condition and a statement once for each branch, for `return a if t else b` and the like."""
    test = lower_condition(node.test, steps)
    blocks = []
    for value in (node.body, node.orelse):
        with steps.block() as block:
            steps.report_branch(value)
            statement = finish(value)
            if statement is not None:
                steps.emit(statement)
        blocks.append(block)
    first, other = blocks
    return test, first, other


def expression(blocks: BlockLowering, node: cst.Expr) -> Remains:
    """Lower an expression statement; nothing remains if a step has evaluated it."""
    value = blocks.steps.lower_root(node.value)
    if value is node.value:
        return node
    if isinstance(value, cst.Name) and (value.value == "None" or value.value in blocks.steps.names.temporaries):
        return None  # a step has evaluated it
    return with_changes(node, {"value": value})


def assign(blocks: BlockLowering, node: cst.Assign) -> Remains:
    """Lower an assignment: the value, then the targets in order, each with what it evaluates before storing."""
    steps = blocks.steps
    targets = [item.target for item in node.targets]
    only = targets[0] if len(targets) == 1 else None
    if isinstance(only, cst.Name) and isinstance(node.value, cst.IfExp) and steps.becomes_statements(node.value):
        finish = partial(_assign_value, blocks, node)
        kept = only.value if only.value in steps.bound else ""
        steps.emit(_chosen(*_branches(node.value, finish, steps), kept))
        bind(only, steps)
        return None
    if not any(target_emits(target, steps) for target in targets):
        value = steps.lower_root(node.value)
        for target in targets:
            bind(target, steps)
        return node if value is node.value else with_changes(node, {"value": value})
    if only is not None and not isinstance(only, (cst.Tuple, cst.List)):
        done = steps.lower_in_order([node.value, *operands(only).expressions], shown=[node.value])
        new_target = node.targets[0].with_changes(target=substitute(only, done))
        return with_changes(node, {"value": done.get(id(node.value), node.value), "targets": [new_target]})
    value = steps.lower_root(node.value)
    value = steps.stabilize(value, [ANY_EFFECT]) if only is not None else steps.stabilize_object(value)
    for index, target in enumerate(targets):
        store(target, build.clone(value) if index else value, steps)
    return None


def _chosen(
    test: cst.BaseExpression, first: Sequence[cst.BaseStatement], other: Sequence[cst.BaseStatement], kept: str
) -> cst.If:
    """Return an `if` with these branches, without one that only assigns the variable `kept` to itself."""
    if _is_copy(other, kept):
        return build.if_(test, first)
    return build.if_(build.not_(test), other) if _is_copy(first, kept) else build.if_(test, first, other)


def _is_copy(statements: Sequence[cst.BaseStatement], name: str) -> bool:
    match statements:
        case [cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(target))], cst.Name(value))])]:
            return target == value == name
    return False


def _assign_value(blocks: BlockLowering, node: cst.Assign, value: cst.BaseExpression) -> Remains:
    return assign(blocks, with_changes(node, {"value": blocks.steps.detach(value)}))


def target_emits(target: cst.CSTNode, plan: LoweringPlan) -> bool:
    """Whether what an assignment target evaluates before storing needs steps."""
    if isinstance(target, (cst.Tuple, cst.List)):
        return max([target_emits(element.value, plan) for element in target.elements], default=False)
    if isinstance(target, cst.StarredElement):
        return target_emits(target.value, plan)
    return plan.emits_any(operands(target).expressions)


def store(target: cst.BaseExpression, value: cst.BaseExpression, steps: Lowering) -> None:
    """Assign `value`, an atom, to one target; unpack it into temporaries first if the target needs steps."""
    if isinstance(target, (cst.Tuple, cst.List)) and target_emits(target, steps):
        names = [steps.fresh_temporary(None, element.value) for element in target.elements]
        elements = [
            element.with_changes(value=cst.Name(name), comma=cst.MaybeSentinel.DEFAULT)
            for element, name in zip(target.elements, names, strict=True)
        ]
        steps.emit(cst.Assign([cst.AssignTarget(cst.Tuple(elements, lpar=(), rpar=()))], value))
        for element, name in zip(target.elements, names, strict=True):
            store(element.value, cst.Name(name), steps)
        return
    new = (
        substitute(target, steps.lower_in_order(operands(target).expressions))
        if target_emits(target, steps)
        else target
    )
    steps.emit(cst.Assign([cst.AssignTarget(new)], value))  # type: ignore[arg-type]
    bind(target, steps)


def bind(target: cst.CSTNode, steps: Lowering) -> None:
    """Mark the names of an assignment target as definitely assigned."""
    if isinstance(target, cst.Name):
        steps.bound.add(target.value)
    elif isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            bind(element.value, steps)


def annotated(blocks: BlockLowering, node: cst.AnnAssign) -> Remains:
    """Lower an annotated assignment: the value, then what the target evaluates; the annotation stays."""
    # Functions do not evaluate the annotations of their variables.
    if node.value is None:
        return node
    parts = operands(node.target).expressions
    done = blocks.steps.lower_in_order([node.value, *parts], shown=[node.value])
    bind(node.target, blocks.steps)
    if not done:
        return node
    return with_changes(node, {"value": done.get(id(node.value), node.value), "target": substitute(node.target, done)})


def augmented(blocks: BlockLowering, node: cst.AugAssign) -> Remains:
    """Lower `a[i()] += v()`: container, index, get, value, in-place operation, store."""
    steps = blocks.steps
    for reason in filter(None, (intervention.operator_reason(node, steps) for intervention in steps.recipe)):
        steps.report_skipped(node.target, reason)
    parts = operands(node.target).expressions
    if not steps.emits(node.value):
        done = steps.lower_in_order(parts)
        return with_changes(node, {"target": substitute(node.target, done)}) if done else node
    if isinstance(node.target, cst.Name) and is_name_stable(node.target.value, [node.value], steps.scope, steps.bound):
        return with_changes(node, {"value": steps.lower_operand(node.value)})
    done = {}
    for index, part in enumerate(parts):
        later = [*parts[index + 1 :], node.value]  # the value may rebind a variable of the target: `x.a += (x := 1)`
        kept = steps.stabilize_object(steps.stabilize(steps.lower_operand(part), later))
        if kept is not part:
            done[id(part)] = kept
    target: Any = substitute(node.target, done)
    current = steps.materialize(steps.lower_root(target))
    value = steps.lower_operand(node.value)
    steps.emit(cst.AugAssign(cst.Name(current.value), node.operator, value))
    return cst.Assign([cst.AssignTarget(build.clone(target))], cst.Name(current.value))


def raise_(blocks: BlockLowering, node: cst.Raise) -> Remains:
    """Lower a `raise`: the exception, then its cause."""
    if node.exc is None:
        return node
    cause = [node.cause.item] if node.cause is not None else []
    return substitute(node, blocks.steps.lower_in_order([node.exc, *cause], shown=[node.exc]))


def assert_(blocks: BlockLowering, node: cst.Assert) -> Remains:
    """Lower an `assert`: its steps run only if assertions do, those of its message only if it fails."""
    steps = blocks.steps
    late = node.msg is not None and steps.emits(node.msg)
    if not late and not emits_condition(node.test, steps):
        return node
    with steps.block() as block:
        test = lower_condition(node.test, steps)
        if late and node.msg is not None:
            with steps.block() as failed:
                steps.emit(cst.Assert(cst.Name("False"), steps.lower_operand(node.msg)))
            steps.emit(build.if_(negated(test, steps), failed))
        else:
            steps.emit(with_changes(node, {"test": test}))
    steps.report.constructs.add(Construct.DEBUG_TEST)
    steps.emit(build.if_(cst.Name("__debug__"), block))
    return None


def delete(blocks: BlockLowering, node: cst.Del) -> Remains:
    """Lower a `del` target by target: the first that fails is the last."""
    steps, target = blocks.steps, node.target
    if not target_emits(target, steps):
        return node
    if not isinstance(target, (cst.Tuple, cst.List)):
        return with_changes(node, {"target": substitute(target, steps.lower_in_order(operands(target).expressions))})
    for element in target.elements:
        value: Any = element.value
        one = delete(blocks, cst.Del(value))
        if one is not None:
            steps.emit(one)
    return None


def import_(blocks: BlockLowering, node: cst.Import | cst.ImportFrom) -> Remains:
    """Mark the names that an import binds; it evaluates nothing."""
    for alias in () if isinstance(node.names, cst.ImportStar) else node.names:
        bound: cst.CSTNode = alias.asname.name if alias.asname else alias.name
        while isinstance(bound, cst.Attribute):
            bound = bound.value
        bind(bound, blocks.steps)
    return node


SMALL.update(
    {
        cst.AnnAssign: annotated,
        cst.Assert: assert_,
        cst.Assign: assign,
        cst.AugAssign: augmented,
        cst.Del: delete,
        cst.Expr: expression,
        cst.Import: import_,
        cst.ImportFrom: import_,
        cst.Raise: raise_,
        cst.Return: return_,
    }
)
