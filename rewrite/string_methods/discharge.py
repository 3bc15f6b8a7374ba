"""Whether the preconditions of a reference implementation hold at a place of a program: proven, assumed, or guarded.

Proven is what the source says; assumed what every call showed (`rewrite.evidence`), and noted when it is relied on; for
the rest a guard asks, with the operation itself in its else branch. Where no guard can ask, the form does not fit.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

import libcst as cst

from rewrite.analysis.exact_types import exact_type
from rewrite.anf.lowering import Lowering
from rewrite.anf.plan import LoweringPlan
from rewrite.evidence.assumptions import exactly
from rewrite.evidence.facts import FactStatus, assume, choose_strategy, fact_status, may_guard
from rewrite.string_methods.guards import is_exactly, may_be, may_be_text
from rewrite.string_methods.preconditions import Precondition, Wanted
from rewrite.syntax.tree import code

NOTHING = object()
_UNGUARDED = ("tuple",)  # what is no text is left to the method, which takes some tuples, too


@dataclass(frozen=True)
class Guard:
    """What a guard has to ask of one argument: its exact type ("" if that is known), and these preconditions."""

    type: str
    preconditions: tuple[Precondition, ...]

    def __bool__(self) -> bool:
        return bool(self.type or self.preconditions)


def discharged(node: cst.BaseExpression, wanted: Wanted, plan: LoweringPlan) -> Guard | None:
    """The guard that a node of the original needs to be what is wanted; None where none makes it that."""
    value = literal(node)
    if wanted.literal:
        return Guard("", ()) if value is not NOTHING and repr(value) == wanted.literal else None
    if value is not NOTHING:
        return Guard("", ()) if wanted.holds(value) else None
    if wanted.type and not _may_be(node, wanted.type, plan):
        return None
    type_ = "" if not wanted.type or _is_known(node, exactly(wanted.type), plan) else wanted.type
    if type_ and (type_ in _UNGUARDED or choose_strategy(node, type_, plan) != "guard"):
        return None
    open_ = tuple(one for one in wanted.preconditions if not _holds(node, one, wanted, plan))
    if open_ and (not all(one.test for one in open_) or not may_guard(node, plan)):
        return None
    return Guard(type_, open_)


def note(node: cst.BaseExpression, wanted: Wanted, steps: Lowering) -> None:
    """Note what a form that is being written assumes of a node of the original."""
    if wanted.literal or literal(node) is not NOTHING:
        return
    if wanted.type:
        assume(node, exactly(wanted.type), steps)
    for one in wanted.preconditions:
        if one.fact and not _proven(node, one, wanted, steps):
            assume(node, one.fact, steps)


def literal(node: cst.BaseExpression) -> Any:
    """The value of a literal (text, number, None, True, False), or NOTHING."""
    if isinstance(node, (cst.SimpleString, cst.Integer, cst.Name, cst.UnaryOperation)):
        try:
            return ast.literal_eval(code(node))
        except (ValueError, SyntaxError):
            return NOTHING
    return NOTHING


def _is_known(node: cst.BaseExpression, fact: str, plan: LoweringPlan) -> bool:
    return fact_status(node, fact, plan) is not FactStatus.UNKNOWN


def _holds(node: cst.BaseExpression, one: Precondition, wanted: Wanted, plan: LoweringPlan) -> bool:
    return _proven(node, one, wanted, plan) or (bool(one.fact) and _is_known(node, one.fact, plan))


def _may_be(node: cst.BaseExpression, type_: str, plan: LoweringPlan) -> bool:
    return may_be_text(node, plan) if type_ == "str" else may_be(node, type_, plan)


def _proven(node: cst.BaseExpression, one: Precondition, wanted: Wanted, plan: LoweringPlan) -> bool:
    """Whether the source says so: of a character, and of a tuple or list that stands there."""
    if exact_type(node, plan.scope) == "char":
        return one.what in ("one character long", "not empty")
    if wanted.type in ("tuple", "list") and isinstance(node, (cst.Tuple, cst.List)):
        items = [None if isinstance(item, cst.StarredElement) else item.value for item in node.elements]
        return all(item is not None and is_exactly(item, "str", plan) for item in items)
    return False
