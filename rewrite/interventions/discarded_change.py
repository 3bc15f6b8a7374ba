"""The intervention `discarded_change`: `items[1:].reverse()` is left out: it changes a copy that nothing keeps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

import libcst as cst

from analyze.operations.catalogue import select
from analyze.operations.operation import Form
from rewrite.anf.intervention import RewriteExample, StatementIntervention, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import exactly
from rewrite.evidence.facts import assume, is_known
from rewrite.string_methods.guards import is_atom
from rewrite.syntax.literal_values import literal_value

_CHANGES = {
    one.name: one.max_arguments
    for one in select(lambda one: one.receiver == "list" and one.form is Form.METHOD and one.mutates is not None)
    if not one.raises and one.iterates is None and all(parameter.type == "object" for parameter in one.parameters)
}
"""Methods that change a list and cannot fail, with their number of arguments."""


class DiscardedChange(StatementIntervention):
    """Leaves out a statement that changes a slice of a list.

    Not in scope: a slice with bounds not known to be int, variables that may be unbound, the last statement of a
    block, and lists of which no call shows the type.
    """

    name = "discarded_change"
    summary = "a change of a slice of a list, which is a copy that nothing keeps, left out"
    recipes = ("planned",)
    kind = "idioms"
    order = 7
    statements = (cst.Expr,)
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "Bounds in place",
            """
            def f(items):
                items[1:].reverse()
                return items
            """,
            """
            def f(items):
                return items
            """,
            "f([1, 2, 3])",
            with_call=True,
        ),
        RewriteExample(
            "A variable with the bounds",
            """
            def f(items):
                part = slice(None, -1)
                items[part].clear()
                return items, part
            """,
            """
            def f(items):
                part = slice(None, -1)
                return items, part
            """,
            "f([1, 2, 3])",
            with_call=True,
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "A value that may be no list",
            """
            def f(items):
                items[1:].reverse()
                return items
            """,
        ),
        UntouchedExample(
            "An item, which the list keeps",
            """
            def f():
                items = [[1]]
                items[0].clear()
                return items
            """,
        ),
    )

    def claims(self, node: cst.Expr, plan: LoweringPlan) -> bool:
        facts = _facts(node, plan)
        known = all(is_known(one, what, plan) for one, what in facts)
        return bool(facts) and known and bool(plan.following)

    def expand(self, node: cst.Expr, steps: Lowering) -> None:
        for one, what in _facts(node, steps):
            assume(one, what, steps)


def _facts(node: cst.Expr, plan: LoweringPlan) -> list[tuple[cst.BaseExpression, str]]:
    """The types that a list and bounds must have; empty for a statement that is no change of a slice."""
    match node.value:
        case cst.Call(
            func=cst.Attribute(cst.Subscript(value=items, slice=[cst.SubscriptElement(index)]), cst.Name(value=method)),
            args=arguments,
        ) if _CHANGES.get(method) == len(arguments) and _are_plain(arguments) and _are_bound(arguments, plan):
            bounds = _bounds(index, plan)
            if bounds is not None and isinstance(items, cst.Name):
                return [(items, exactly("list")), *((one, exactly("int")) for one in bounds)]
    return []


def _are_plain(arguments: Sequence[cst.Arg]) -> bool:
    return all(is_atom(one.value) and one.keyword is None and not one.star for one in arguments)


def _are_bound(arguments: Iterable[cst.Arg], plan: LoweringPlan) -> bool:
    return all(one.value.value in plan.bound for one in arguments if isinstance(one.value, cst.Name))


def _bounds(index: cst.BaseSlice, plan: LoweringPlan) -> list[cst.BaseExpression] | None:
    """The bounds of a slice that are no constants; None if the index may be no slice, or a bound no number."""
    if isinstance(index, cst.Slice):
        given = [one for one in (index.lower, index.upper) if one is not None]
        return None if index.step is not None or not all(map(is_atom, given)) else _unknown(given)
    assert isinstance(index, cst.Index)
    known = isinstance(index.value, cst.Name) and index.value.value in plan.bound
    return [] if known and _is_slice(cst.ensure_type(index.value, cst.Name).value, plan) else None


def _unknown(given: Iterable[cst.BaseExpression]) -> list[cst.BaseExpression]:
    return [one for one in given if literal_value(one) is not None and type(literal_value(one)) is not int]


def _is_slice(name: str, plan: LoweringPlan) -> bool:
    """Whether each assignment of a local variable is a call of `slice` with constants."""
    scope = plan.scope
    bindings = scope.bindings.get(name, ()) if name not in scope.rebound_elsewhere | scope.deleted else ()
    made = [one.expression if one.how == "value" else None for one in bindings]
    return scope.kind == "function" and bool(made) and all(_makes_slice(one, plan) for one in made)


def _makes_slice(node: cst.BaseExpression | None, plan: LoweringPlan) -> bool:
    match node:
        case cst.Call(func=cst.Name("slice"), args=arguments) if plan.scope.is_builtin("slice"):
            plain = _are_plain(arguments) and not _unknown(one.value for one in arguments)
            return plain and 0 < len(arguments) < 3
    return False
