"""Guards for interventions on strings: type tests for expressions whose type is not proven.

The module also provides atoms: names and constants that may occur repeatedly in generated code. Inferred types come
from `rewrite.analysis.exact_types`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set

import libcst as cst

from rewrite.analysis.effects import ANY_EFFECT, is_movable
from rewrite.analysis.exact_types import STRING_TYPES, exact_type
from rewrite.analysis.imported_modules import may_be_module
from rewrite.anf.intervention import ClaimRefusal
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.syntax import build
from rewrite.syntax.tree import with_changes

Action = Callable[[], None]


def shadowed_builtin(names: Set[str], plan: LoweringPlan) -> ClaimRefusal | None:
    """The reason not to expand if one of these builtins is shadowed, or None."""
    shadowed = sorted(name for name in names if not plan.scope.is_builtin(name))
    return ClaimRefusal(f"the name {shadowed[0]} is not the builtin here") if shadowed else None


def list_characters(text: cst.BaseExpression, plan: LoweringPlan) -> cst.BaseExpression:
    """The list of the characters of a string: `list(text)`, or `[*text]` where a variable has the name `list`."""
    if plan.scope.is_builtin("list"):
        return cst.Call(cst.Name("list"), [cst.Arg(text)])
    return cst.List([cst.StarredElement(text)])


def may_be_string(node: cst.BaseExpression, plan: LoweringPlan) -> bool:
    """Whether the value may be exactly a `str`: neither a proof nor an enclosing guard excludes it."""
    if isinstance(node, cst.Name) and node.value in ("self", "cls"):
        return False
    if isinstance(node, cst.Name) and node.value in ("str", "bytes") and plan.scope.is_builtin(node.value):
        return False
    if exact_type(node, plan.scope) is None and may_be_module(node, plan.scope):
        return False
    return may_have_type(node, "str", plan) and exact_type(node, plan.scope) in (*STRING_TYPES, None)


def may_have_type(node: cst.BaseExpression, wanted: str, plan: LoweringPlan) -> bool:
    """Whether the value may have exactly this type: neither a proof nor an enclosing guard excludes it."""
    if exact_type(node, plan.scope) not in (None, wanted, "char" if wanted == "str" else wanted):
        return False
    return not isinstance(node, cst.Name) or (node.value, wanted) not in plan.excluded_types


def is_short(node: cst.BaseExpression, plan: LoweringPlan) -> bool:
    """Whether the value had at most one character in every observed call."""
    seen = plan.shown.of(node) if plan.shown is not None else None
    return seen is not None and seen.lengths is not None and seen.lengths[1] < 2


def is_character(node: cst.BaseExpression, plan: LoweringPlan) -> bool:
    """Whether the value is proven to be one character, also in the rewritten program.

    In a comprehension it is not: the iterable becomes a parameter of a function, whose type is unknown there.
    """
    return exact_type(node, plan.scope) == "char" and plan.function.kind != "comprehension"


def guard(tests: Sequence[tuple[cst.BaseExpression, str]], then: Action, otherwise: Action, steps: Lowering) -> None:
    """Emit `then()` under a guard that each expression has exactly the named type, and `otherwise()` as its else."""
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
    """A name or constant that still has the value of `node` after the expressions `later` were evaluated."""
    return node if is_atom(node) and is_movable(node, later, steps.scope, steps.bound) else steps.materialize(node)


def is_atom(node: cst.BaseExpression) -> bool:
    """Whether the node's source can be an operand anywhere: it has no operators and one line."""
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.Minus) and isinstance(node.expression, cst.Integer)
    return isinstance(node, (cst.Name, cst.SimpleString, cst.Integer, cst.Float))


def atoms(
    nodes: Sequence[cst.BaseExpression], steps: Lowering, later: Sequence[cst.BaseExpression] = ()
) -> list[cst.BaseExpression]:
    """Names or constants for several expressions, which are evaluated in order.

    Args:
        nodes: the expressions.
        steps: the lowering of the function.
        later: what is evaluated after all of them, and before one is read for the last time.
    """
    every = [*nodes, *later]
    return [atom(steps.lower_operand(node), steps, every[index + 1 :]) for index, node in enumerate(nodes)]


def is_lasting(node: cst.BaseExpression, plan: LoweringPlan, later: Sequence[cst.BaseExpression]) -> bool:
    """Whether the node is an atom that has the same value before and after the expressions `later` and any effect."""
    return is_atom(node) and is_movable(node, [ANY_EFFECT, *later], plan.scope, plan.bound)
