"""Short-circuit and conditional evaluation as explicit control flow.

`a and b`, `a or b`, `a if t else b` and chained comparisons evaluate some of their operands only sometimes; steps for
those must stand under an `if`. Each operand is evaluated at most once, in order, and asked for its truth exactly as
often as in the original: a condition (`truth`) asks its last operand once more than a value (`expand`) does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import partial
from typing import TypeGuard

import libcst as cst

from rewrite.analysis.effects import ANYTHING, is_constant, movable
from rewrite.analysis.evaluation_order import flat, others
from rewrite.analysis.exact_types import kind
from rewrite.anf.lowering import Lowering, register
from rewrite.anf.plan import Decision, Kept, Plan
from rewrite.evidence.asking import rely
from rewrite.evidence.assumptions import exactly
from rewrite.syntax import build
from rewrite.syntax.tree import changed

Lazy = cst.BooleanOperation | cst.Comparison
_DEEPEST = 20  # operands of one and/or: each is an `if` inside the one before


def is_not(node: cst.BaseExpression) -> bool:
    """Whether the expression is a `not`."""
    return isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not)


def is_lazy(node: cst.BaseExpression) -> TypeGuard[Lazy]:
    """Whether the expression is an and/or or a chained comparison."""
    return isinstance(node, cst.BooleanOperation) or is_chain(node)


def is_compound(node: cst.BaseExpression) -> bool:
    """Whether a condition asks for the truth of several values, or of one that a conditional expression chooses."""
    if is_not(node):
        return is_compound(node.expression)  # type: ignore[attr-defined]
    if isinstance(node, cst.IfExp):
        return is_compound(node.body) or is_compound(node.orelse)
    return is_lazy(node)


def is_chain(node: cst.BaseExpression) -> bool:
    """Whether the expression is a comparison of more than two values."""
    return isinstance(node, cst.Comparison) and len(node.comparisons) > 1


class Asked(Enum):
    """What becomes of a condition, so that its truth is asked for as often as in the original."""

    APART = "the operand of a `not`, a condition of its own"
    LAZY = "control flow where it is opened"
    CHOSEN = "control flow, one of whose ends is a condition"
    VALUE = "a value"
    SHOWN = "a comparison, whose value the branch shows"


def _asked(node: cst.BaseExpression, plan: Plan) -> Asked:
    if is_not(node) and _tested_apart(node, plan):
        return Asked.APART
    if plan.names_conditions and not is_compound(node) and not plan.is_guard(node):
        return Asked.VALUE
    if is_lazy(node):
        return Asked.LAZY
    if is_compound(node):
        return Asked.CHOSEN
    return Asked.SHOWN if isinstance(node, cst.Comparison) else Asked.VALUE


def emits_condition(node: cst.BaseExpression, plan: Plan) -> bool:
    """Whether `condition(node, steps)` writes steps."""
    match _asked(node, plan):
        case Asked.APART:
            named = plan.names_conditions and plan.claim(node) is not None
            return emits_condition(node.expression, plan) or named  # type: ignore[attr-defined]
        case Asked.LAZY:
            return opens(node, plan) or plan.emits_inside(node)  # type: ignore[arg-type]
        case Asked.SHOWN:
            return plan.emits_root(node)
    return plan.emits(node)


def condition(node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
    """Evaluate a condition; whoever gets it asks for its truth exactly once, next, as an `if` does."""
    match _asked(node, steps):
        case Asked.APART:
            return _tested_not(node, steps)  # type: ignore[arg-type]
        case Asked.LAZY:
            return truth(node, steps) if opens(node, steps) else steps.reduce(node)  # type: ignore[arg-type]
        case Asked.CHOSEN if steps.emits(node):
            return chosen(node, steps)  # type: ignore[arg-type]
        case Asked.SHOWN:
            return steps.root(node)
    return steps.value(node)


def _tested_apart(node: cst.BaseExpression, plan: Plan) -> bool:
    """Whether the operand of a `not` is a condition of its own."""
    return not plan.names_conditions or is_compound(node)


def _tested_not(node: cst.UnaryOperation, steps: Lowering) -> cst.BaseExpression:
    inner = condition(node.expression, steps)
    claim = steps.claim(node) if steps.names_conditions else None
    if claim is None:
        return node if inner is node.expression else changed(node, {"expression": inner})
    steps.report.applied.append((claim.name, node))
    return steps.save(build.not_(asked_once(inner, steps)))


def negated(test: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
    """The negation of a condition, where one has to be written."""
    if not steps.names_conditions:
        return build.not_(test)
    once = asked_once(test, steps)
    return steps.save(build.not_(once if is_constant(once) else steps.save(once)))


def decide(node: cst.BaseExpression, plan: Plan) -> Decision:
    """Whether an operand that is evaluated only sometimes needs steps, so that control flow must be written."""
    if isinstance(node, cst.IfExp):
        return Decision(plan.emits_any((node.test, *others(node))))
    if not is_lazy(node):
        return Decision(False)
    if isinstance(node, cst.BooleanOperation) and _is_mixed(node, plan) and not plan.scope.is_builtin("bool"):
        return Decision(False, kept=_kept(flat(node), "the name bool is not Python's own here", plan))
    return Decision(plan.decided(node, as_condition).work)


def as_condition(node: cst.BaseExpression, plan: Plan) -> Decision:
    """The same for an and/or or a chained comparison that stands in a condition."""
    if isinstance(node, cst.Comparison):
        return Decision(plan.emits_any(others(node)) or plan.opens(node))
    assert isinstance(node, cst.BooleanOperation)
    parts = flat(node)
    if _is_long(node, plan):
        return Decision(False, kept=_kept(parts[1:], f"in an and/or of more than {_DEEPEST} operands", plan))
    # Evaluated as a value, the first operand would be asked for its truth once more than as a condition.
    first = is_compound(parts[0]) and plan.emits(parts[0])
    nested = any(isinstance(part, cst.BooleanOperation) and plan.claim(part) is not None for part in parts)
    rest = max([emits_condition(part, plan) if is_lazy(part) else plan.emits(part) for part in parts[1:]])
    return Decision(rest or first or nested)


def _kept(nodes: Iterable[cst.BaseExpression], reason: str, plan: Plan) -> tuple[Kept, ...]:
    return tuple(kept for node in nodes for kept in plan.keeping(node, reason))


def opens(node: Lazy, plan: Plan) -> bool:
    """Whether such a condition becomes control flow: also where its operands are atoms, if conditions get names."""
    few = isinstance(node, cst.BooleanOperation) and not _is_long(node, plan)
    named = plan.names_conditions and few and plan.claim(node) is not None
    return plan.decided(node, as_condition).work or named


def _is_long(node: cst.BaseExpression, plan: Plan) -> bool:
    return plan.decided(node, _too_long).work


def _too_long(node: cst.BaseExpression, plan: Plan) -> Decision:
    """Whether an and/or, or one in a condition that it consists of, has more operands than are opened."""
    parts = _conditions(node)
    return Decision(len(parts) > _DEEPEST or any(_is_long(part, plan) for part in parts))


def _conditions(node: cst.BaseExpression) -> Sequence[cst.BaseExpression]:
    """The values of whose truth a condition consists."""
    if is_not(node):
        return (node.expression,)  # type: ignore[attr-defined]
    if isinstance(node, cst.IfExp):
        return node.body, node.orelse
    return flat(node) if isinstance(node, cst.BooleanOperation) else ()


def _is_mixed(node: cst.BooleanOperation, plan: Plan) -> bool:
    """Whether an operand that is asked for its truth is itself an and/or, of values of which anything may be asked."""
    return any(isinstance(part, cst.BooleanOperation) and kind(part, plan.scope) is None for part in flat(node)[:-1])


def expand(node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
    """Write `node` as control flow that ends with its value in a temporary."""
    if isinstance(node, cst.IfExp):
        return conditional(node, steps, steps.root)
    if isinstance(node, cst.BooleanOperation):
        return _boolean(node, steps)
    assert isinstance(node, cst.Comparison)
    return _chain(node, steps)


def conditional(
    node: cst.IfExp, steps: Lowering, evaluate: Callable[[cst.BaseExpression], cst.BaseExpression]
) -> cst.BaseExpression:
    """Write a conditional expression as an `if`, each of whose branches is evaluated by `evaluate`."""
    test = condition(node.test, steps)
    name = steps.fresh(kind(node, steps.scope), node)
    with steps.block() as body:
        steps.assign(name, evaluate(node.body))
    with steps.block() as orelse:
        steps.assign(name, evaluate(node.orelse))
    steps.emit(build.if_(test, body, orelse))
    return cst.Name(name)


def chosen(node: cst.IfExp, steps: Lowering) -> cst.BaseExpression:
    """The same for one that is a condition: what it gives is asked for its truth next, and nothing in it again."""
    return conditional(node, steps, partial(_settled, steps))


def _settled(steps: Lowering, node: cst.BaseExpression) -> cst.BaseExpression:
    return asked_once(condition(node, steps), steps) if is_compound(node) else steps.root(node)


def asked_once(test: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
    """A condition as a value with the same truth, for which nothing in it has to be asked a second time.

    Kept as a value, `a and b` would be `a` itself where that is false, and asked again.
    """
    if is_not(test):
        inner = asked_once(test.expression, steps)  # type: ignore[attr-defined]
        return build.not_(steps.save(inner) if steps.claim(inner) is not None else inner)
    if isinstance(test, cst.IfExp) and is_compound(test):
        return chosen(test, steps)
    return truth(test, steps) if is_lazy(test) else test


def _boolean(node: cst.BooleanOperation, steps: Lowering) -> cst.BaseExpression:
    first, *rest = flat(node)
    negate = isinstance(node.operator, cst.Or)
    if _is_mixed(node, steps):
        name, flag = steps.fresh(None, node), steps.fresh("bool", "decided")
        _settle_all(flat(node), negate, name, flag, False, steps)
        return cst.Name(name)
    value = steps.root(first)
    name = steps.fresh(kind(node, steps.scope), node)
    steps.assign(name, value)
    _nest(name, negate, [partial(steps.root, part) for part in rest], steps)
    return cst.Name(name)


def _settle(node: cst.BaseExpression, name: str, flag: str, steps: Lowering) -> None:
    """The value of an operand into `name` and its truth, asked for once, into `flag`.

    In `a and b or c`, Python does not ask a false `a` again when it comes to the `or`.
    """
    if isinstance(node, cst.BooleanOperation):
        _settle_all(flat(node), isinstance(node.operator, cst.Or), name, flag, True, steps)
    else:
        steps.assign(name, steps.root(node))
        steps.assign(flag, cst.Call(cst.Name("bool"), [cst.Arg(cst.Name(name))]))


def _settle_all(
    parts: Sequence[cst.BaseExpression], negate: bool, name: str, flag: str, all_of_them: bool, steps: Lowering
) -> None:
    """Operand after operand until the truth of one decides; the last one is asked only if `all_of_them` are."""
    if len(parts) == 1 and not all_of_them:
        steps.assign(name, steps.root(parts[0]))
        return
    _settle(parts[0], name, flag, steps)
    if len(parts) > 1:
        with steps.block() as rest:
            _settle_all(parts[1:], negate, name, flag, all_of_them, steps)
        steps.emit(build.if_(negated(cst.Name(flag), steps) if negate else cst.Name(flag), rest))


def _nest(name: str, negate: bool, parts: Sequence[Callable[[], cst.BaseExpression]], steps: Lowering) -> None:
    """`if name:` the next part into `name`, and inside it `if name:` the one after that, and so on."""
    if not parts:
        return
    with steps.block() as body:
        steps.assign(name, parts[0]())
        _nest(name, negate, parts[1:], steps)
    test: cst.BaseExpression = cst.Name(name)
    steps.emit(build.if_(negated(test, steps) if negate else test, body))


def _chain(node: cst.Comparison, steps: Lowering) -> cst.BaseExpression:
    parts = _comparisons(node, steps)
    value = parts[0]()
    name = steps.fresh(None, node)
    steps.assign(name, value)
    _nest(name, False, parts[1:], steps)
    return cst.Name(name)


def _comparisons(node: cst.Comparison, steps: Lowering) -> list[Callable[[], cst.BaseExpression]]:
    """The single comparisons of a chain, each made when asked for; they must be asked for in order."""
    middle: list[cst.BaseExpression] = []

    def make(index: int) -> cst.BaseExpression:
        target = node.comparisons[index]
        before = build.again(middle[-1]) if index else steps.value(node.left)
        if index == 0 and not movable(target.comparator, [ANYTHING], steps.scope, steps.bound):
            # A name that has no value fails, and must not do so before one that is read earlier.
            later = ANYTHING if isinstance(target.comparator, cst.Name) else target.comparator
            before = steps.keep(before, [later])
        after = steps.value(target.comparator)
        if index + 1 < len(node.comparisons):
            # Compared twice, evaluated once; the comparison itself may run any code.
            after = steps.keep_one(after)
            middle.append(after)
        return steps.root(cst.Comparison(before, [cst.ComparisonTarget(target.operator, after)]))

    return [partial(make, index) for index in range(len(node.comparisons))]


def truth(node: Lazy, steps: Lowering) -> cst.BaseExpression:
    """Write a condition as control flow; gives a temporary whose truth is that of `node`.

    In `if a and b`, `a` is asked for its truth once: so a temporary that *is* `a` must not be asked again.
    """
    return _ladder(conditions(node, steps), _originals(node), _is_or(node), steps.fresh(None, node), steps)


def _originals(node: Lazy) -> Sequence[cst.BaseExpression]:
    """The operands of an and/or, whose truth the conditions are; none for a chain of comparisons."""
    return flat(node) if isinstance(node, cst.BooleanOperation) else ()


def _is_or(node: Lazy) -> bool:
    return isinstance(node, cst.BooleanOperation) and isinstance(node.operator, cst.Or)


def conditions(node: Lazy, steps: Lowering) -> list[Callable[[], cst.BaseExpression]]:
    """The conditions whose conjunction (disjunction, for `or`) the node is, each made when asked for, in order."""
    if isinstance(node, cst.Comparison):
        made = _comparisons(node, steps)
        return [partial(_named, one, steps) for one in made] if steps.names_conditions else made
    return [partial(condition, part, steps) for part in flat(node)]


def _named(make: Callable[[], cst.BaseExpression], steps: Lowering) -> cst.BaseExpression:
    return steps.save(make())


def _ladder(
    parts: Sequence[Callable[[], cst.BaseExpression]],
    originals: Sequence[cst.BaseExpression],
    negate: bool,
    name: str,
    steps: Lowering,
) -> cst.Name:
    test = parts[0]()
    if len(parts) == 1:
        if is_lazy(test):
            return _ladder(conditions(test, steps), _originals(test), _is_or(test), name, steps)
        steps.assign(name, asked_once(test, steps))
        return cst.Name(name)
    with steps.block() as rest:
        _ladder(parts[1:], originals[1:], negate, name, steps)
    if originals and _asked_again(test, originals[0], steps):
        steps.assign(name, test)
        again = cst.Name(name)
        steps.emit(build.if_(negated(again, steps) if negate else again, rest))
        return cst.Name(name)
    settled = [build.assign(name, cst.Name("True" if negate else "False"))]
    steps.emit(build.if_(test, settled, rest) if negate else build.if_(test, rest, settled))
    return cst.Name(name)


def _asked_again(test: cst.BaseExpression, original: cst.BaseExpression, steps: Lowering) -> bool:
    """Whether a temporary may be asked for its truth a second time: calls show that it is of a builtin type."""
    if steps.shown is None or not isinstance(test, cst.Name) or test.value not in steps.names.given:
        return False
    if kind(test, steps.scope) is not None:
        return True
    seen = steps.shown.of(original)
    only = next(iter(seen.types)) if seen is not None and len(seen.types) == 1 else ""
    return bool(only) and rely(original, exactly(only), steps)


register(decide, expand, cst.BooleanOperation, cst.IfExp, cst.Comparison)
