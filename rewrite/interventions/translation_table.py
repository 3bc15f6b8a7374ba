"""The intervention `translation_table`: `str.maketrans(old, new)` as a loop that enters one pair after the other."""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from rewrite.anf.intervention import Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.plan import LoweringPlan
from rewrite.evidence.assumptions import exactly, has_length
from rewrite.evidence.facts import FactStatus, assume, fact_status
from rewrite.string_methods.discharge import known_lengths
from rewrite.string_methods.guards import atoms
from rewrite.syntax.tree import code

_LOOP = "{table} = {{}}\nfor {one}, {other} in zip({old}, {new}):\n    {table}[ord({one})] = ord({other})\n"


class TranslationTable(Intervention):
    """Enters the code points of one pair of characters in each round, so that a state shows each pair.

    Not in scope: tables with deletions, tables from a dict, and strings of which no call shows that they are equally
    long.
    """

    name = "translation_table"
    summary = "`str.maketrans` of two strings as a loop over pairs of characters"
    recipes = ("idioms",)
    kind = "idioms"
    order = 12
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "Two strings",
            "def f(text, old):\n    return text.translate(str.maketrans(old, 'xy'))\n",
            "def f(text, old):\n    _t0 = {}\n    for _t1, _t2 in zip(old, 'xy'):\n        _t0[ord(_t1)] = ord(_t2)\n"
            "    return text.translate(_t0)\n",
            "f('banana', 'an')",
            with_call=True,
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample("Strings of unknown length", "def f(old, new):\n    return str.maketrans(old, new)\n"),
        UntouchedExample("Deletions", "def f():\n    return str.maketrans('a', 'b', 'c')\n"),
        UntouchedExample("Strings of different lengths", "def f():\n    return str.maketrans('a', 'bc')\n"),
    )

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return kind is cst.Call and method == "maketrans"

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        operands = _operands(node)
        if not operands or not all(plan.scope.is_builtin(name) for name in ("str", "zip", "ord")):
            return False
        length = _length(operands[0], plan)
        return length is not None and all(
            fact_status(one, what, plan) is not FactStatus.UNKNOWN
            for one in operands
            for what in (exactly("str"), has_length(length))
        )

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        operands = _operands(node)
        length = _length(operands[0], steps)
        assert length is not None
        for one in operands:
            assume(one, exactly("str"), steps)
            assume(one, has_length(length), steps)
        old, new = (code(one) for one in atoms(operands, steps))
        table = steps.fresh_temporary("dict", "table")
        first, second = (steps.fresh_temporary("char", name) for name in ("old", "new"))
        steps.emit_text(_LOOP.format(table=table, one=first, other=second, old=old, new=new), node)
        return cst.Name(table)


def _operands(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The two strings of a call of `str.maketrans`; empty for any other expression."""
    match node:
        case cst.Call(
            func=cst.Attribute(cst.Name("str"), cst.Name("maketrans")),
            args=[cst.Arg(value=old, keyword=None, star=""), cst.Arg(value=new, keyword=None, star="")],
        ):
            return [old, new]
    return []


def _length(node: cst.BaseExpression, plan: LoweringPlan) -> int | None:
    """The length of a string, if it is a literal or had the same length in every call."""
    lengths = known_lengths(node, plan)
    return lengths[0] if lengths is not None and lengths[0] == lengths[1] else None
