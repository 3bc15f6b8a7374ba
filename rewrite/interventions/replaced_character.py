"""The intervention `replaced_character`: `replace` in a single character as a comparison with that character."""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from rewrite.anf.intervention import Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import exactly, has_length
from rewrite.evidence.facts import assume, is_known
from rewrite.string_methods.guards import atoms, is_atom
from rewrite.string_methods.operation_sites import replace_operands
from rewrite.syntax import build


class ReplacedCharacter(Intervention):
    """Chooses between the character and its replacement.

    Not in scope: strings, and targets, of which no call shows that they have one character.
    """

    name = "replaced_character"
    summary = "`replace` in a string of one character as a choice between two values"
    recipes = ("idioms",)
    kind = "idioms"
    order = 9
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "The last character",
            """
            def f(text, old, new):
                last = text[-1]
                return text + last.replace(old, new)
            """,
            """
            def f(text, old, new):
                last = text[-1]
                return text + (new if last == old else last)
            """,
            "f('banana', 'a', 'o')",
            with_call=True,
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "Values of which no call shows the type",
            """
            def f(c, d):
                return c.replace(d, '-')
            """,
        ),
        UntouchedExample(
            "A longer string",
            """
            def f():
                text = 'ab'
                return text.replace('a', '-')
            """,
        ),
        UntouchedExample(
            "A longer target",
            """
            def f():
                c = 'a'
                return c.replace('ab', '-')
            """,
        ),
        UntouchedExample(
            "A count",
            """
            def f():
                c = 'a'
                return c.replace('a', '-', 0)
            """,
        ),
    )

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return kind is cst.Call and method == "replace"

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        facts = _facts(node)
        return bool(facts) and all(is_known(one, what, plan) for one, what in facts)

    def stays_in_place(self, node: cst.BaseExpression) -> bool:
        return all(is_atom(one) for one, _ in _facts(node))

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        facts = _facts(node)
        for one, what in facts:
            assume(one, what, steps)
        text, old, new = atoms(list(dict.fromkeys(one for one, _ in facts)), steps)
        test = cst.Comparison(text, [cst.ComparisonTarget(cst.Equal(), old)])
        brackets = {"lpar": [cst.LeftParen()], "rpar": [cst.RightParen()]}
        return cst.IfExp(test, new, build.clone(text), **brackets)  # type: ignore[arg-type]


def _facts(node: cst.BaseExpression) -> list[tuple[cst.BaseExpression, str]]:
    """What must hold for the string, the target and the replacement; empty for any other expression."""
    match replace_operands(node):
        case [text, old, new]:
            single = [(one, what) for one in (text, old) for what in (exactly("str"), has_length(1))]
            return [*single, (new, exactly("str"))]
    return []
