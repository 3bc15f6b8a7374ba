"""The intervention `branch_swap`: both branches of an `if` in the other order, under the negated condition.

`not` tests the truth of the condition exactly once, as the `if` did. Turning a comparison around (`<` to `>=`) would be
wrong: NaN is neither below 1 nor at least 1, and objects define each comparison by itself.
"""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from rewrite.anf.intervention import RewriteExample, StatementIntervention, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.syntax import build


class BranchSwap(StatementIntervention):
    """Writes the else branch first."""

    name = "branch_swap"
    summary = "the branches of an `if` swapped, under the negated condition"
    statements = (cst.If,)
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "Comments stay with their branches",
            """
            def f(n):
                if n < 3:  # small
                    return 1
                else:
                    return 2  # large
            """,
            """
            def f(n):
                if not n < 3:
                    return 2  # large
                else:  # small
                    return 1
            """,
            "[f(2), f(3)]",
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "Only one branch",
            """
            def f(n):
                if n < 3:
                    return 1
                return 2
            """,
        ),
        UntouchedExample(
            "A negated condition, which the intervention itself writes",
            """
            def f(n):
                if not n:
                    return 1
                else:
                    return 2
            """,
        ),
        UntouchedExample(
            "`elif`",
            """
            def f(n):
                if n > 3:
                    return 1
                elif n:
                    return 2
                return 3
            """,
        ),
    )

    def claims(self, node: cst.If, plan: LoweringPlan) -> bool:
        is_negated = isinstance(node.test, cst.UnaryOperation) and isinstance(node.test.operator, cst.Not)
        return isinstance(node.orelse, cst.Else) and not is_negated

    def expand(self, node: cst.If, steps: Lowering) -> cst.If:
        otherwise = cst.ensure_type(node.orelse, cst.Else)
        last = otherwise.with_changes(body=node.body)
        return node.with_changes(test=build.not_(node.test), body=otherwise.body, orelse=last)
