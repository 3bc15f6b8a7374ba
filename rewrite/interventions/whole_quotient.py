"""The intervention `whole_quotient`: `int` of a quotient of integers as an integer division.

`a / b` is the float next to the quotient. Let n be the integer above it, so that n * b - a is at least 1. Floats just
below n are at most n / 2 ** 52 apart. So the float can be n only if n - a / b is at most n / 2 ** 53, that is, if
n * b - a is at most n * b / 2 ** 53. With a below 2 ** 53, that needs n * b = 2 ** 53; but then n is a power of two,
below which floats are half as far apart. So the float stays below n, and `int(a / b)` is `a // b`.
"""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from rewrite.anf.intervention import Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import at_least, at_most
from rewrite.evidence.facts import assume, is_known
from rewrite.string_methods.guards import atoms
from rewrite.syntax.tree import code

MOST = 2**53 - 1
_FACTS = ((at_least(0), at_most(MOST)), (at_least(1), at_most(MOST)))


class WholeQuotient(Intervention):
    """Divides integers that are not negative.

    Not in scope: negative numbers, which `int` rounds towards zero, and other numbers.
    """

    name = "whole_quotient"
    summary = "`int` of a quotient of integers as an integer division"
    recipes = ("elements",)
    kind = "idioms"
    order = 9
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "All digits but the last",
            """
            def f(n):
                return int(n / 10)
            """,
            """
            def f(n):
                return n // 10
            """,
            "f(123)",
            with_call=True,
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "A number that may be negative",
            """
            def f(n):
                return int(n / 10)
            """,
        ),
        UntouchedExample(
            "A literal that is negative",
            """
            def f():
                return int(7 / -2)
            """,
        ),
        UntouchedExample(
            "A float",
            """
            def f():
                return int(7.5 / 2)
            """,
        ),
        UntouchedExample(
            "Zero",
            """
            def f():
                return int(7 / 0)
            """,
        ),
        UntouchedExample(
            "A function with the name",
            """
            def f(int):
                return int(7 / 2)
            """,
        ),
    )

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return kind is cst.Call and not method

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        pairs = zip(_operands(node), _FACTS, strict=False)
        known = [is_known(one, what, plan) for one, facts in pairs for what in facts]
        return bool(known) and all(known) and plan.scope.is_builtin("int")

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        operands = _operands(node)
        for one, facts in zip(operands, _FACTS, strict=True):
            for what in facts:
                assume(one, what, steps)
        dividend, divisor = map(code, atoms(operands, steps))
        result = steps.fresh_temporary("int", node)
        steps.emit_text(f"{result} = {dividend} // {divisor}\n", node)
        return cst.Name(result)


def _operands(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """Dividend and divisor of `int(a / b)`; none for any other expression."""
    match node:
        case cst.Call(
            cst.Name("int"), [cst.Arg(cst.BinaryOperation(left, cst.Divide(), right), keyword=None, star="")]
        ):
            return [left, right]
    return []
