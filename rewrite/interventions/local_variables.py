"""Local variables with one assignment: which one an expression is assigned to, and where it is read."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from rewrite.analysis.scopes import NameReference
from rewrite.anf.lowering_plan import LoweringPlan


def assigned_local(node: cst.BaseExpression, plan: LoweringPlan) -> str:
    """The local variable whose only assignment has the node as its value; "" for any other node.

    Parameters, loop variables and whatever else a name is bound to have other assignments.
    """
    match plan.around:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(cst.Name(value=name))], value=value)]):
            scope = plan.scope
            shared = scope.declared_global | scope.declared_nonlocal | scope.rebound_elsewhere | scope.deleted
            single = scope.kind == "function" and len(scope.bindings.get(name, ())) == 1
            return name if value is node and single and name not in shared else ""
    return ""


def uses_of(name: str, plan: LoweringPlan) -> Iterator[NameReference]:
    """The places that read the variable, also in nested functions and comprehensions."""
    references = plan.scopes.references.values()
    return (one for one in references if one.node.value == name and one.owner is plan.scope and not one.binds)
