"""The intervention `other_recipes`: it reports string operations that stay, and which other recipe would replace them.

A recipe such as `decompose` shows the result of `text.rsplit(sep)` and not how it comes about. If that is where a model
fails, the reader has to know that another recipe goes further.
"""

from __future__ import annotations

from functools import cache
from typing import ClassVar

import libcst as cst

from rewrite.anf.intervention import ClaimRefusal, Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.anf.rewrite_result import NOT_HERE
from rewrite.string_methods.expansion import StringOperationIntervention, interventions
from rewrite.string_methods.operation_sites import operation_text

METHODS = "methods"
"""The recipe that replaces every string operation that any recipe of loops replaces."""


class OtherRecipes(Intervention):
    """Reports string operations that this recipe leaves as they are and another one replaces.

    Also if the recipe assigns the result to a temporary: how it comes about stays hidden.
    """

    name = "other_recipes"
    summary = "reports string operations that stay, and the recipes that replace them"
    recipes = ("decompose", "expressions", "idioms", "strings")
    order = 89  # before the temporaries, which claim every operation
    is_planned = False
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = ()
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "A method whose result the statement shows",
            """
            def f(text, sep):
                return text.rsplit(sep, maxsplit=2)
            """,
            f"{NOT_HERE} {METHODS} for .rsplit(sep, maxsplit=2)",
        ),
        UntouchedExample(
            "An operation that no recipe replaces",
            """
            def f(text):
                return text.encode()
            """,
        ),
    )

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return bool(_concerned(kind, method))

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool | ClaimRefusal:
        own = {intervention.name for intervention in plan.recipe}
        method = node.func.attr.value if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) else ""
        for other in _concerned(type(node), method):
            if other.name not in own and other(self.options).claims(node, plan):
                return ClaimRefusal(f"{NOT_HERE} {METHODS} for {operation_text(node)}")
        return False


@cache
def _concerned(kind: type[cst.CSTNode], method: str) -> tuple[type[StringOperationIntervention], ...]:
    """The interventions of `methods` that may claim a node of this kind."""
    return tuple(one for one in interventions() if METHODS in one.recipes and one.concerns(kind, method))
