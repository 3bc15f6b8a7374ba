"""The intervention `listed_part`: a slice of a list or tuple becomes a loop over its places, or a reversed copy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import libcst as cst

from rewrite.anf.intervention import Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import at_least, at_most, exactly
from rewrite.evidence.facts import assume_any, is_any_known, is_known
from rewrite.string_methods.guards import atoms
from rewrite.syntax.literal_values import literal_value
from rewrite.syntax.tree import code

_PLAIN = (None, 0, 1)
"""Bounds that need no loop: all items, or all but the first one."""
_REVERSED = ["None", "None", "-1"]


class ListedPart(Intervention):
    """Appends the item at each place of a slice to a new list; bounds of any sign, as `slice.indices` counts them.

    Not in scope: values that may be no list and no tuple, bounds that may be no int, steps that may be 0, and targets
    of assignments.
    """

    name = "listed_part"
    summary = "a slice of a list or tuple as a loop over its places, or as a reversed copy"
    recipes = ("elements",)
    kind = "idioms"
    order = 12
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "The items before a place",
            """
            def f(items, n):
                return items[:n]
            """,
            """
            def f(items, n):
                _t0, _t1, _t2 = slice(None, n).indices(len(items))
                _t3 = []
                for _t0 in range(_t0, _t1):
                    _t3.append(items[_t0])
                return _t3
            """,
            "f([4, 5, 6], -1)",
            with_call=True,
        ),
        RewriteExample(
            "Every second item of a tuple",
            """
            def f(items):
                return items[::2]
            """,
            """
            def f(items):
                _t0, _t1, _t2 = slice(None, None, 2).indices(len(items))
                _t3 = []
                for _t0 in range(_t0, _t1, _t2):
                    _t3.append(items[_t0])
                return tuple(_t3)
            """,
            "f((4, 5, 6))",
            with_call=True,
        ),
        RewriteExample(
            "All items, from the last to the first",
            """
            def f(items):
                return items[::-1]
            """,
            """
            def f(items):
                _t0 = list(items)
                _t0.reverse()
                return _t0
            """,
            "f([4, 5, 6])",
            with_call=True,
        ),
        RewriteExample(
            "A new list, which needs no copy",
            """
            def f(table):
                return list(table.items())[::-1]
            """,
            """
            def f(table):
                _t0 = list(table.items())
                _t0.reverse()
                return _t0
            """,
            "f({4: 5, 6: 7})",
            with_call=True,
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "A slice of any sequence",
            """
            def f(items):
                return items[:2]
            """,
        ),
        UntouchedExample(
            "All items but the first",
            """
            def f():
                items = [1, 2]
                return items[1:]
            """,
        ),
        UntouchedExample(
            "A step that may be 0",
            """
            def f(n):
                items = [1, 2]
                return items[::n]
            """,
        ),
        UntouchedExample(
            "A deleted slice",
            """
            def f():
                items = [1, 2]
                del items[:2]
                return items
            """,
        ),
        UntouchedExample(
            "A bound of any type",
            """
            def f(n):
                items = [1, 2]
                return items[:n]
            """,
        ),
    )

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return kind is cst.Subscript

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        parts = _parts(node)
        builtin = all(map(plan.scope.is_builtin, ("list", "tuple", "slice", "len", "range")))
        return bool(parts) and builtin and all(is_any_known(*what, plan) for what in _facts(parts))

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        parts = _parts(node)
        for one, facts in _facts(parts):
            assume_any(one, facts, steps)
        is_list = is_known(parts[0], exactly("list"), steps)
        items, *bounds = map(code, atoms(parts, steps))
        part = _reverse(items, node, steps) if bounds == _REVERSED else _append(items, bounds, node, steps)
        return cst.Name(part) if is_list else cst.parse_expression(f"tuple({part})")


def _reverse(items: str, node: cst.BaseExpression, steps: Lowering) -> str:
    """Emit a reversed copy, and return its name. A list that the step before has made needs no copy."""
    if steps.out and _is_new_list(steps.out[-1], items, steps):
        steps.emit_text(f"{items}.reverse()\n", node)
        return items
    part = steps.fresh_temporary("list", node)
    steps.emit_text(f"{part} = list({items})\n{part}.reverse()\n", node)
    return part


def _is_new_list(statement: cst.BaseStatement, name: str, steps: Lowering) -> bool:
    """Whether a statement binds a temporary to a list that nothing else refers to."""
    match statement:
        case cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(bound))], cst.Call(cst.Name(function)))]):
            is_made = name in steps.names.temporaries and steps.scope.is_builtin(function)
            return bound == name and is_made and function in ("list", "sorted")
    return False


def _append(items: str, bounds: list[str], node: cst.BaseExpression, steps: Lowering) -> str:
    """Emit a loop that lists the items of a slice, and return the name of the list."""
    first, last, width = (steps.fresh_temporary("int", name) for name in ("first", "last", "width"))
    part, place = steps.fresh_temporary("list", node), steps.fresh_temporary("int", "place")
    lower, upper, step = bounds
    given, counted = (f"{lower}, {upper}", "") if step == "None" else (", ".join(bounds), f", {width}")
    head = f"{first}, {last}, {width} = slice({given}).indices(len({items}))\n{part} = []\n"
    loop = f"for {place} in range({first}, {last}{counted}):\n    {part}.append({items}[{place}])\n"
    steps.emit_text(head + loop, node)
    return part


def _parts(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The sequence, the bounds and the step of a slice; empty for another expression, or if it needs no loop."""
    match node:
        case cst.Subscript(value=items, slice=[cst.SubscriptElement(cst.Slice(lower, upper, step))]):
            bounds = [cst.Name("None") if one is None else one for one in (lower, upper, step)]
            is_plain = all(code(one) == "None" or literal_value(one) in _PLAIN for one in bounds[:2])
            has_step = code(bounds[2]) not in ("None", "1")
            return [] if is_plain and not has_step else [items, *bounds]
    return []


def _facts(parts: list[cst.BaseExpression]) -> Iterator[tuple[cst.BaseExpression, tuple[str, ...]]]:
    """What must hold: for each part, facts of which one must."""
    items, lower, upper, step = parts
    yield items, (exactly("list"), exactly("tuple"))
    yield from ((one, (exactly("int"),)) for one in (lower, upper) if code(one) != "None")
    if code(step) != "None" and not _is_known_step(literal_value(step)):
        yield step, (at_least(1), at_most(-1))


def _is_known_step(literal: object) -> bool:
    return type(literal) is int and literal != 0
