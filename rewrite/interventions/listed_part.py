"""The intervention `listed_part`: a slice of a list becomes a loop over its places."""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from rewrite.anf.intervention import Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import exactly
from rewrite.evidence.facts import assume, is_known
from rewrite.string_methods.discharge import literal_value
from rewrite.string_methods.guards import atoms
from rewrite.syntax.tree import code

_PLAIN = (None, 0, 1)
"""Bounds that need no loop: all items, or all but the first one."""


class ListedPart(Intervention):
    """Appends the item at each place of a slice to a new list; bounds of any sign, as `slice.indices` counts them.

    Not in scope: steps, values that may be no list, bounds that may be no int, and targets of assignments.
    """

    name = "listed_part"
    summary = "a slice of a list as a loop over its places"
    recipes = ("elements",)
    kind = "idioms"
    order = 12
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "The items before a place",
            "def f(items, n):\n    return items[:n]\n",
            "def f(items, n):\n    _t0, _t1, _t2 = slice(None, n).indices(len(items))\n    _t3 = []\n"
            "    for _t0 in range(_t0, _t1):\n        _t3.append(items[_t0])\n    return _t3\n",
            "f([4, 5, 6], -1)",
            with_call=True,
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample("A slice of any sequence", "def f(items):\n    return items[:2]\n"),
        UntouchedExample("All items but the first", "def f():\n    items = [1, 2]\n    return items[1:]\n"),
        UntouchedExample("A slice with a step", "def f():\n    items = [1, 2]\n    return items[0:4:2]\n"),
        UntouchedExample("A deleted slice", "def f():\n    items = [1, 2]\n    del items[:2]\n    return items\n"),
        UntouchedExample("A bound of any type", "def f(n):\n    items = [1, 2]\n    return items[:n]\n"),
    )

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return kind is cst.Subscript

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        parts = _parts(node)
        builtin = all(map(plan.scope.is_builtin, ("slice", "len", "range")))
        known = (is_known(one, what, plan) for one, what in _facts(parts))
        return bool(parts) and builtin and all(known)

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        parts = _parts(node)
        for one, what in _facts(parts):
            assume(one, what, steps)
        items, lower, upper = map(code, atoms(parts, steps))
        first, last, width = (steps.fresh_temporary("int", name) for name in ("first", "last", "width"))
        part, place = steps.fresh_temporary("list", node), steps.fresh_temporary("int", "place")
        head = f"{first}, {last}, {width} = slice({lower}, {upper}).indices(len({items}))\n{part} = []\n"
        steps.emit_text(f"{head}for {place} in range({first}, {last}):\n    {part}.append({items}[{place}])\n", node)
        return cst.Name(part)


def _parts(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The sequence and the bounds of a slice without a step; empty for another expression, or for plain bounds."""
    match node:
        case cst.Subscript(value=items, slice=[cst.SubscriptElement(cst.Slice(lower=lower, upper=upper, step=None))]):
            bounds = [cst.Name("None") if one is None else one for one in (lower, upper)]
            is_plain = all(code(one) == "None" or literal_value(one) in _PLAIN for one in bounds)
            return [] if is_plain else [items, *bounds]
    return []


def _facts(parts: list[cst.BaseExpression]) -> list[tuple[cst.BaseExpression, str]]:
    """What must hold: a list, and numbers as bounds."""
    numbers = [(one, exactly("int")) for one in parts[1:] if code(one) != "None"]
    return [(parts[0], exactly("list")), *numbers] if parts else []
