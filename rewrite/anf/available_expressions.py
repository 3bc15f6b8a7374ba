"""Available expressions: the variable that has the value of an expression already.

An expression is available where every path has computed it and no operand has been bound since. The statements written
so far are searched, the last one first, for an assignment `x = …` of the same expression, or for the step that made a
temporary of it, in whatever form.

Only operations without side effects count, on variables that no other code binds, with values that cannot change:
exactly `int`, `str`, `bool` or `bytes`, proven or assumed. Only identity can then show whether a value was read or
computed again, so a module that may observe it (`rewrite.analysis.observed_identity`) has no such expressions. What a
module does through another one that it imports is not seen.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import libcst as cst

from analyze.operations.catalogue import candidates
from analyze.operations.operation import Form
from rewrite.analysis.effects import binds_name, bound_by, is_among, is_constant, may_be_rebound
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import exactly
from rewrite.evidence.facts import assume, is_known
from rewrite.syntax.tree import code, walk

_IMMUTABLE = tuple(map(exactly, ("int", "str", "bool", "bytes")))
_LOOPS = (cst.For, cst.While)


@dataclass(frozen=True)
class Holder:
    """A variable that has the value of an expression.

    Attributes:
        name: its name.
        is_from_step: whether the rewrite computed the value, in a temporary.
    """

    name: str
    is_from_step: bool


def find_holder(node: cst.BaseExpression, plan: LoweringPlan) -> Holder | None:
    """The variable that has the value of an expression; None if there is none."""
    if plan.function.kind != "function" or plan.scope is not plan.function or isinstance(node, cst.Name):
        return None
    operands = _operands(node, plan)
    if not operands or not all(_fact(one, plan) for one in (node, *operands)):
        return None
    names = {one.value for one in operands}
    found = _computed_before(node, names, plan)
    if found is None or _assignment(plan.around) == (found.name, node):  # nothing is gained by `x = x`
        return None
    if not all(_is_steady(name, plan) for name in (found.name, *names)) or plan.module.observes_identity:
        return None
    return found


def assume_available(node: cst.BaseExpression, plan: LoweringPlan) -> None:
    """Record what reading the value of an available expression assumes."""
    for one in (node, *(_operands(node, plan) or ())):
        assume(one, _fact(one, plan), plan)


def _fact(node: cst.BaseExpression, plan: LoweringPlan) -> str:
    """The fact that the value has a type whose values cannot change; "" if it may have another type."""
    return next((one for one in _IMMUTABLE if is_known(node, one, plan)), "")


def _operands(node: cst.BaseExpression, plan: LoweringPlan) -> list[cst.Name] | None:
    """The variables of an expression whose operations have no side effects on builtin values; None for any other."""
    if is_constant(node):
        return []
    match node:
        case cst.Name():
            return [node]
        case cst.Call(func=cst.Attribute(value=receiver, attr=cst.Name(value=name)), args=args):
            parts, is_known_operation = [receiver], _is_pure(name, Form.METHOD)
        case cst.Call(func=cst.Name(value=name), args=args):
            parts, is_known_operation = [], plan.scope.is_builtin(name) and _is_pure(name, Form.CALL)
        case _:
            args, is_known_operation = (), True
            parts = _parts(node)
    if not is_known_operation or not (parts or args) or any(one.star for one in args):
        return None
    found = [_operands(part, plan) for part in (*parts, *(one.value for one in args))]
    return None if None in found else [name for names in found for name in names or ()]


def _parts(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The operands of an operator or subscript; none of any other expression."""
    match node:
        case cst.BinaryOperation(left=left, right=right):
            return [left, right]
        case cst.UnaryOperation(expression=inner):
            return [inner]
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(comparator=right)]):
            return [left, right]
        case cst.Subscript(value=value, slice=[cst.SubscriptElement(cst.Index(value=index, star=None))]):
            return [value, index]
        case cst.Subscript(value=value, slice=[cst.SubscriptElement(cst.Slice(lower=lower, upper=upper, step=step))]):
            return [value, *(one for one in (lower, upper, step) if one is not None)]
    return []


def _is_pure(name: str, form: Form) -> bool:
    known = [one for one in candidates(name) if one.form is form]
    return bool(known) and all(one.is_pure for one in known)


def _is_equal(one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
    """Whether two expressions differ in their layout at most."""
    return type(one) is type(other) and _without_layout(code(one)) == _without_layout(code(other))


@lru_cache(maxsize=1 << 10)
def _without_layout(text: str) -> str:
    return ast.dump(ast.parse(f"({text})"))


def _computed_before(wanted: cst.BaseExpression, names: Iterable[str], plan: LoweringPlan) -> Holder | None:
    """The variable that an earlier statement gave the value of an expression; None if an operand was bound since.

    Args:
        wanted: The expression.
        names: The operands.
        plan: The place where it is needed.
    """
    since: set[str] = set()  # what was bound after the statement that is looked at
    copies: dict[str, str] = {}  # what has the value of a variable, while neither is bound again
    for one in _before(plan):
        target, value = _assignment(one)
        _, computed, node = plan.values.get(id(one), (one, "", None))
        if node is not None and _is_equal(node, wanted):
            name = copies.get(computed, "" if is_among(computed, since) else computed)
            return Holder(name, is_from_step=True) if name else None
        is_new = bool(target) and not is_among(target, since)
        bound = bound_by(one)
        if any(is_among(name, bound) for name in names):
            return None
        copies = {name: copy for name, copy in copies.items() if not is_among(name, bound)}
        if isinstance(value, cst.Name) and is_new:
            copies[value.value] = target
        elif value is not None and is_new and _is_equal(value, wanted):
            return Holder(target, is_from_step=False)
        since |= bound
    return None


def _before(plan: LoweringPlan) -> Iterator[cst.CSTNode]:
    """The statements that certainly ran before, the last one first, and what may have run since each of them.

    These are the loops and other statements that the place is in: all that is in them may have run, of an `if` only
    the test.
    """
    if isinstance(plan.around, _LOOPS):
        yield plan.around
    yield from reversed(plan.out)
    for around, out in reversed(plan.enclosing):
        if around is not None:
            yield around.test if isinstance(around, cst.If) else around
        yield from reversed(out)


def _assignment(statement: cst.CSTNode) -> tuple[str, cst.BaseExpression | None]:
    """The variable and the value of `x = …`; no value for any other statement."""
    match statement:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(cst.Name(value=name))], value=value)]):
            return name, value
    return "", None


def _is_steady(name: str, plan: LoweringPlan) -> bool:
    """Whether a variable is bound, belongs to the function, and is bound by its statements only."""
    if plan.scope.owner(name) is not plan.function or name not in plan.bound:
        return False
    if may_be_rebound(name, plan.scope, plan.bound) or plan.function.node is None:
        return False
    nodes = walk(plan.function.node)
    return not any(binds_name(one, name) for one in nodes if isinstance(one, cst.NamedExpr))
