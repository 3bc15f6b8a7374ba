"""The guards of the interventions on strings: what is proven of an expression, and a test of its type where nothing is.

Also the atoms that may stand more than once in what is written. The operations themselves stand in
`rewrite.interventions`, the kinds in `rewrite.analysis.exact_types`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set

import libcst as cst

from rewrite.analysis.effects import is_movable
from rewrite.analysis.exact_types import exact_type
from rewrite.analysis.imported_modules import may_be_module
from rewrite.anf.lowering import Lowering
from rewrite.anf.plan import ClaimRefusal, LoweringPlan
from rewrite.syntax import build
from rewrite.syntax.tree import with_changes

Action = Callable[[], None]
TEXT = ("str", "char")


def missing(names: Set[str], plan: LoweringPlan) -> ClaimRefusal | None:
    """Why an expansion that uses these builtins must not be written, if one of them is shadowed."""
    shadowed = sorted(name for name in names if not plan.scope.is_builtin(name))
    return ClaimRefusal(f"the name {shadowed[0]} is not Python's own here") if shadowed else None


def may_be_text(node: cst.BaseExpression, plan: LoweringPlan) -> bool:
    """Whether the value may be exactly a `str`: neither proven nor shown by a guard to be something else."""
    if isinstance(node, cst.Name) and node.value in ("str", "bytes", "self", "cls"):
        return False
    if exact_type(node, plan.scope) is None and may_be_module(node, plan.scope):
        return False
    return may_be(node, "str", plan) and exact_type(node, plan.scope) in (*TEXT, None)


def may_be(node: cst.BaseExpression, wanted: str, plan: LoweringPlan) -> bool:
    """Whether nothing proves, and no guard around has shown, that the value is not exactly of the type."""
    if exact_type(node, plan.scope) not in (None, wanted, "char" if wanted == "str" else wanted):
        return False
    return not isinstance(node, cst.Name) or (node.value, wanted) not in plan.excluded_types


def is_short(node: cst.BaseExpression, plan: LoweringPlan) -> bool:
    """Whether every call showed a value of at most one character."""
    seen = plan.shown.of(node) if plan.shown is not None else None
    return seen is not None and seen.lengths is not None and seen.lengths[1] < 2


def is_character(node: cst.BaseExpression, plan: LoweringPlan) -> bool:
    """Whether the value is proven to be one character, also for who reads the program that is being written.

    What a generator expression walks over becomes the parameter of a function, of which nothing is known there.
    """
    return exact_type(node, plan.scope) == "char" and plan.function.kind != "comprehension"


def is_exactly(node: cst.BaseExpression, wanted: str, plan: LoweringPlan) -> bool:
    known = exact_type(node, plan.scope)
    return known == wanted or (wanted == "str" and known == "char")


def guard(tests: Sequence[tuple[cst.BaseExpression, str]], then: Action, otherwise: Action, steps: Lowering) -> None:
    """`then()` under the condition that each expression has exactly the type named, else `otherwise()`."""
    if not tests:
        then()
        return
    (tested, wanted), *rest = tests
    with steps.block() as right:
        guard(rest, then, otherwise, steps)
    failed = (tested.value, wanted) if isinstance(tested, cst.Name) else None
    with steps.block() as wrong, steps.excluding_type(failed):
        otherwise()
    test = cst.parse_expression(f"type(x) is {wanted}")
    assert isinstance(test, cst.Comparison) and isinstance(test.left, cst.Call)
    call = with_changes(test.left, {"args": [cst.Arg(build.clone(tested))]})
    steps.emit(build.if_(with_changes(test, {"left": call}), right, wrong))


def atom(node: cst.BaseExpression, steps: Lowering, later: Sequence[cst.BaseExpression] = ()) -> cst.BaseExpression:
    """A name or constant that has the value of `node` also after the steps for `later`."""
    return node if is_atom(node) and is_movable(node, later, steps.scope, steps.bound) else steps.materialize(node)


def is_atom(node: cst.BaseExpression) -> bool:
    """Whether the text of the node may stand anywhere in a template: no operators, no second line."""
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.Minus) and isinstance(node.expression, cst.Integer)
    return isinstance(node, (cst.Name, cst.SimpleString, cst.Integer, cst.Float))


def atoms(nodes: Sequence[cst.BaseExpression], steps: Lowering) -> list[cst.BaseExpression]:
    """Names or constants for several expressions, evaluated in order."""
    return [atom(steps.lower_operand(node), steps, nodes[index + 1 :]) for index, node in enumerate(nodes)]
