"""Discharging the preconditions of a reference implementation: each is proven, assumed or guarded.

The source proves a precondition, or every observed call supports it (`rewrite.evidence`), in which case the assumption
is recorded. All others need a guard, with the original operation in its else branch. If a precondition cannot be
guarded, the reference implementation does not apply.
"""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from rewrite.analysis.exact_types import exact_type, is_str
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import exactly
from rewrite.evidence.facts import assume, choose_strategy, is_known, may_guard
from rewrite.string_methods.guards import may_be_string, may_have_type
from rewrite.string_methods.preconditions import ParameterRequirement, Precondition
from rewrite.syntax.literal_values import NOT_LITERAL, literal_value

Lengths = tuple[int, int]
_UNGUARDED = ("tuple",)  # no guard: arguments other than strings are left to the method, which also takes tuples


@dataclass(frozen=True)
class ArgumentGuard:
    """The tests that a guard needs for one argument.

    Attributes:
        type: The exact type to test for, or "" if it is known.
        preconditions: The preconditions to test.
    """

    type: str
    preconditions: tuple[Precondition, ...]

    def __bool__(self) -> bool:
        return bool(self.type or self.preconditions)


def required_guard(node: cst.BaseExpression, wanted: ParameterRequirement, plan: LoweringPlan) -> ArgumentGuard | None:
    """Return the guard that an argument needs to meet its requirement; None if no guard is possible."""
    value = literal_value(node)
    if wanted.literal:
        return ArgumentGuard("", ()) if value is not NOT_LITERAL and repr(value) == wanted.literal else None
    if value is not NOT_LITERAL:
        return ArgumentGuard("", ()) if wanted.holds(value) else None
    if wanted.type and not _may_be(node, wanted.type, plan):
        return None
    type_ = "" if not wanted.type or is_known(node, exactly(wanted.type), plan) else wanted.type
    if type_ and (type_ in _UNGUARDED or choose_strategy(node, type_, plan) != "guard"):
        return None
    open_ = tuple(one for one in wanted.preconditions if not _holds(node, one, wanted, plan))
    if open_ and (not all(one.test for one in open_) or not may_guard(node, plan)):
        return None
    return ArgumentGuard(type_, open_)


def record_assumptions(node: cst.BaseExpression, wanted: ParameterRequirement, steps: Lowering) -> None:
    """Record the assumptions about an argument that the inlined reference implementation makes."""
    if wanted.literal or literal_value(node) is not NOT_LITERAL:
        return
    if wanted.type:
        assume(node, exactly(wanted.type), steps)
    for one in wanted.preconditions:
        if one.fact and not _proven(node, one, wanted, steps):
            assume(node, one.fact, steps)


def known_lengths(node: cst.BaseExpression, plan: LoweringPlan) -> Lengths | None:
    """The smallest and the greatest length of a string, if it is a literal or the calls show it."""
    value = literal_value(node)
    if isinstance(value, str):
        return len(value), len(value)
    seen = plan.shown.of(node) if plan.shown is not None else None
    return None if seen is None else seen.lengths


def _holds(node: cst.BaseExpression, one: Precondition, wanted: ParameterRequirement, plan: LoweringPlan) -> bool:
    return _proven(node, one, wanted, plan) or (bool(one.fact) and is_known(node, one.fact, plan))


def _may_be(node: cst.BaseExpression, type_: str, plan: LoweringPlan) -> bool:
    return may_be_string(node, plan) if type_ == "str" else may_have_type(node, type_, plan)


def _proven(node: cst.BaseExpression, one: Precondition, wanted: ParameterRequirement, plan: LoweringPlan) -> bool:
    """Whether the source proves a precondition: of a single character, or of a tuple or list display."""
    if exact_type(node, plan.scope) == "char":
        return one.what in ("one character long", "not empty")
    if wanted.type in ("tuple", "list") and isinstance(node, (cst.Tuple, cst.List)):
        items = [None if isinstance(item, cst.StarredElement) else item.value for item in node.elements]
        return all(item is not None and is_str(item, plan.scope) for item in items)
    return False
