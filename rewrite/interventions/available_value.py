"""The interventions `available_value` and `shared_value`: a variable that has the value is read, nothing is computed.

Both read it where an expression is available (`rewrite.anf.available_expressions`).
"""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from rewrite.anf.available_expressions import assume_available, find_holder
from rewrite.anf.intervention import Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan

_KINDS = (cst.Call, cst.Subscript, cst.BinaryOperation, cst.Comparison)


class AvailableValue(Intervention):
    """Reads a variable of the program that has the value of an expression."""

    name = "available_value"
    summary = "an expression whose value a variable has as that variable"
    recipes = ("planned",)
    kind = "expressions"
    order = 89
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "The length of a string that has not changed",
            """
            def f(text, prefix):
                n = len(prefix)
                return text[len(prefix):] + str(n)
            """,
            """
            def f(text, prefix):
                n = len(prefix)
                return text[n:] + str(n)
            """,
            "f('banana', 'ba')",
            with_call=True,
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "A variable that is bound again",
            """
            def f():
                a = 'a'
                n = len(a)
                a += 'b'
                return n + len(a)
            """,
        ),
        UntouchedExample(
            "A value that may change",
            """
            def f(a):
                n = len(a)
                return n + len(a)
            """,
        ),
    )

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return kind in _KINDS

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        found = find_holder(node, plan)
        return found is not None and found.name not in plan.names.temporaries

    def stays_in_place(self, node: cst.BaseExpression) -> bool:
        return True

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        found = find_holder(node, steps)
        if found is None:
            return node
        assume_available(node, steps)
        return cst.Name(found.name)


class SharedValue(AvailableValue):
    """Reads the temporary of an earlier step, or its copy: no form of its own, since it only goes with the step's."""

    name = "shared_value"
    summary = "an expression whose value a temporary has as that temporary"
    kind = "shared_value"  # no other kind excludes it
    order = 5
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = ()
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = ()

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        found = find_holder(node, plan) if plan.condensed else None
        return found is not None and found.is_from_step
