"""The intervention `absent_pattern`: `replace` only where the pattern occurs, if the calls show that it never does."""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from rewrite.anf.intervention import Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import exactly
from rewrite.evidence.facts import assume, is_known
from rewrite.string_methods.discharge import Lengths, known_lengths
from rewrite.string_methods.guards import atoms
from rewrite.string_methods.operation_sites import replace_operands
from rewrite.syntax.tree import code


class AbsentPattern(Intervention):
    """Tests whether the pattern occurs, so that a step shows that nothing is replaced.

    The lengths show it: the result is as long as the string, and the replacement is longer or shorter than the pattern.
    The rewrite depends only on the types. Not in scope: strings of several lengths, a count, and patterns of one
    character, for which `split` and `join` cost as few tokens.
    """

    name = "absent_pattern"
    summary = "`replace` only where the pattern occurs, if the calls show that it never does"
    recipes = ("idioms",)
    kind = "idioms"
    order = 9
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "Nothing is replaced",
            """
            def f(text):
                return text.replace('%d', '')
            """,
            """
            def f(text):
                if '%d' in text:
                    text = text.replace('%d', '')
                return text
            """,
            "f('banana')",
            with_call=True,
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "A call is needed",
            """
            def f(text):
                return text.replace('%d', '')
            """,
        ),
    )

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return kind is cst.Call and method == "replace"

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        operands = replace_operands(node)
        if not operands or any(not is_known(one, exactly("str"), plan) for one in operands):
            return False
        text, old, new, result = (known_lengths(one, plan) for one in (*operands, node))
        same = bool(text and text == result and text[0] == text[1])
        return same and bool(old and new and old[0] > 1 and _apart(old, new))

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        operands = replace_operands(node)
        for one in operands:
            assume(one, exactly("str"), steps)
        text, old, new = map(code, atoms(operands, steps))
        result = steps.fresh_temporary("str", node)
        replaced = f"{result} = {result}.replace({old}, {new})"
        steps.emit_text(f"{result} = {text}\nif {old} in {result}:\n    {replaced}\n", node)
        return cst.Name(result)


def _apart(one: Lengths, other: Lengths) -> bool:
    return one[1] < other[0] or other[1] < one[0]
