"""The intervention `compared_values`: `max` and `min` as one comparison after the other.

`max` keeps its first argument and takes a later one if `later > kept`; `min` compares with `<`. The steps do the same
comparisons in the same order, so that this holds for values of every type, NaN included.
"""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from rewrite.anf.intervention import Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import exactly, has_min_length
from rewrite.evidence.facts import assume, is_known
from rewrite.string_methods.guards import atom, atoms
from rewrite.syntax.tree import code, walk

_OPERATORS = {"max": ">", "min": "<"}
_SEQUENCES = ("list", "tuple")


class ComparedValues(Intervention):
    """Compares the arguments, or the items of a list or tuple that is not empty.

    Not in scope: `key` and `default`, other iterables, and items in a program that defines a class, whose comparisons
    may change the list.
    """

    name = "compared_values"
    summary = "`max` and `min` as one comparison after the other"
    recipes = ("elements",)
    kind = "idioms"
    order = 9
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "The greater of two values",
            "def f(a, b):\n    return max(a, b + 1)\n",
            "def f(a, b):\n    _t0 = b + 1\n    _t1 = a\n    if _t0 > _t1:\n        _t1 = _t0\n    return _t1\n",
            "f(1, 2)",
        ),
        RewriteExample(
            "The least item",
            "def f(items):\n    return min(items)\n",
            "def f(items):\n    _t0 = items[0]\n    for _t1 in items[1:]:\n        if _t1 < _t0:\n"
            "            _t0 = _t1\n    return _t0\n",
            "f([2, 1, 3])",
            with_call=True,
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample("A key", "def f(a, b):\n    return max(a, b, key=abs)\n"),
        UntouchedExample("Items of which no call shows how many they are", "def f(items):\n    return max(items)\n"),
        UntouchedExample("A function with the name", "def f(max, a, b):\n    return max(a, b)\n"),
        UntouchedExample("Unpacked arguments", "def f(items):\n    return max(*items, 1)\n"),
    )

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return kind is cst.Call and not method

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        name, values = _compared(node)
        if not name or not plan.scope.is_builtin(name):
            return False
        return len(values) > 1 or (_sequence(values[0], plan) != "" and not _defines_class(plan))

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        name, values = _compared(node)
        kind = "" if len(values) > 1 else _sequence(values[0], steps)
        known = atoms(values, steps) if not kind else [atom(steps.lower_operand(values[0]), steps)]
        kept = steps.fresh_temporary(None, node)
        if not kind:
            first, *later = map(code, known)
            tests = [f"if {one} {_OPERATORS[name]} {kept}:\n    {kept} = {one}\n" for one in later]
            steps.emit_text("".join([f"{kept} = {first}\n", *tests]), node)
            return cst.Name(kept)
        assume(values[0], exactly(kind), steps)
        assume(values[0], has_min_length(1), steps)
        items, item = code(known[0]), steps.fresh_temporary(None, "item")
        test = f"    if {item} {_OPERATORS[name]} {kept}:\n        {kept} = {item}\n"
        steps.emit_text(f"{kept} = {items}[0]\nfor {item} in {items}[1:]:\n{test}", node)
        return cst.Name(kept)


def _compared(node: cst.BaseExpression) -> tuple[str, list[cst.BaseExpression]]:
    """The function and its arguments; "" for any other expression."""
    match node:
        case cst.Call(cst.Name(name), [_, *_]) if name in _OPERATORS:
            plain = all(one.keyword is None and not one.star for one in node.args)
            return (name, [one.value for one in node.args]) if plain else ("", [])
    return "", []


def _sequence(node: cst.BaseExpression, plan: LoweringPlan) -> str:
    """The type of a list or tuple that is not empty; "" if nothing shows that it is one."""
    if not is_known(node, has_min_length(1), plan):
        return ""
    known = (one for one in _SEQUENCES if is_known(node, exactly(one), plan))
    return next(known, "")


def _defines_class(plan: LoweringPlan) -> bool:
    return any(isinstance(one, cst.ClassDef) for one in walk(plan.module.comments.old.module))
