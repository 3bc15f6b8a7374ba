"""Local variables: which one an expression is assigned to, where it is read, and what consumes it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from rewrite.analysis.scopes import NameReference
from rewrite.anf.lowering_plan import LoweringPlan

_PASSING = (cst.If, cst.For, cst.While, cst.Pass)
"""Statements that do nothing when a `return` in them leaves the function; the body of that is in a `pass`."""


def assigned_local(node: cst.BaseExpression, plan: LoweringPlan) -> str:
    """The local variable whose only assignment has the node as its value; "" for any other node.

    Parameters, loop variables and whatever else a name is bound to have other assignments.
    """
    name = _assigned(node, plan)
    return name if len(plan.scope.bindings.get(name, ())) == 1 else ""


def next_consumer(node: cst.BaseExpression, plan: LoweringPlan) -> str:
    """The builtin, or `join`, that the next statement calls first with what the node is assigned to; "" for none.

    Nothing else reads the variable: it has no other use, or the statement ends the function.
    """
    name = _assigned(node, plan)
    following = plan.following[0] if name and plan.following else None
    match following:
        case cst.SimpleStatementLine([cst.Return() | cst.Assign() | cst.Expr() as statement]):
            consumer = _consumer(statement.value, name, plan)
            uses = list(uses_of(name, plan))
            around = [one for one, _ in plan.enclosing]
            is_last = isinstance(statement, cst.Return) and all(isinstance(one, _PASSING) for one in around)
            is_only = len(uses) == 1 and len(plan.scope.bindings[name]) == 1
            is_own = all(one.scope is plan.scope for one in uses)
            return consumer if is_own and (is_last or is_only) else ""
    return ""


def _assigned(node: cst.BaseExpression, plan: LoweringPlan) -> str:
    """The variable of this function alone that the statement assigns the node to; "" for none."""
    match plan.around:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(cst.Name(value=name))], value=value)]):
            scope = plan.scope
            shared = scope.declared_global | scope.declared_nonlocal | scope.rebound_elsewhere | scope.deleted
            return name if value is node and scope.kind == "function" and name not in shared else ""
    return ""


def _consumer(value: cst.BaseExpression | None, name: str, plan: LoweringPlan) -> str:
    match value:
        case cst.Call(func, [cst.Arg(cst.Name(given), keyword=None, star="")]) if given == name:
            if isinstance(func, cst.Name):
                return func.value if plan.scope.is_builtin(func.value) else ""
            is_text = isinstance(func, cst.Attribute) and isinstance(func.value, cst.SimpleString)
            return "join" if is_text and cst.ensure_type(func, cst.Attribute).attr.value == "join" else ""
    return ""


def uses_of(name: str, plan: LoweringPlan) -> Iterator[NameReference]:
    """The places that read the variable, also in nested functions and comprehensions."""
    references = plan.scopes.references.values()
    return (one for one in references if one.node.value == name and one.owner is plan.scope and not one.binds)
