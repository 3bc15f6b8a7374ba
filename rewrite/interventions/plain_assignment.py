"""The intervention `plain_assignment`: `x += 1` as `x = x + 1`, for values that cannot change in place.

`+=` of a list extends the list that other variables may share; `x = x + y` creates a new one. Only exact numbers,
strings and bytes have no such in-place operation. Both forms read `x` before they evaluate the value.
"""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from rewrite.analysis.exact_types import exact_type
from rewrite.anf.intervention import ClaimRefusal, RewriteExample, StatementIntervention, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.syntax import build
from rewrite.syntax.operators import binary_operator
from rewrite.syntax.tree import as_operand

IN_PLACE = "augmented assignment: the value may be changed in place, and other variables may share it"
_IMMUTABLE = frozenset({"int", "bool", "float", "complex", "str", "char", "bytes"})


class PlainAssignment(StatementIntervention):
    """Writes the operation of an augmented assignment as an expression."""

    name = "plain_assignment"
    summary = "augmented assignment of numbers and strings as plain assignment"
    statements = (cst.AugAssign,)
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "A counter",
            """
            def f(s):
                n = 0
                for c in s:
                    n += 1  # one more
                return n
            """,
            """
            def f(s):
                n = 0
                for c in s:
                    n = n + 1  # one more
                return n
            """,
            "f('abc')",
        ),
        RewriteExample(
            "Any operator, with parentheses where they are needed",
            """
            def f(s):
                n = 9
                n //= 2 if s else 3
                return n
            """,
            """
            def f(s):
                n = 9
                n = n // (2 if s else 3)
                return n
            """,
            "[f(''), f('a')]",
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "A value of any type",
            """
            def f(x):
                y = x
                x += x
                return y
            """,
            IN_PLACE,
        ),
        UntouchedExample(
            "A list",
            """
            def f():
                x = y = [1]
                x += [2]
                return y
            """,
            IN_PLACE,
        ),
    )

    def claims(self, node: cst.AugAssign, plan: LoweringPlan) -> bool | ClaimRefusal:
        if not isinstance(node.target, cst.Name):
            return False
        if exact_type(node.target, plan.scope) not in _IMMUTABLE:
            return ClaimRefusal(IN_PLACE)
        return True

    def expand(self, node: cst.AugAssign, steps: Lowering) -> cst.Assign:
        value = cst.BinaryOperation(build.clone(node.target), binary_operator(node.operator), as_operand(node.value))
        return cst.Assign([cst.AssignTarget(node.target)], value)
