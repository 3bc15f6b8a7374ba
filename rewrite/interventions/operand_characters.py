"""The intervention `operand_characters`: `letters` for plans, without a list of the result.

The operation that uses the result lists it, if the planner chooses to. A list after the last operation helps no step.
"""

from __future__ import annotations

from typing import ClassVar

from rewrite.anf.intervention import RewriteExample, UntouchedExample
from rewrite.anf.plan import LoweringPlan
from rewrite.interventions.letters import LetterOperation, Letters


class OperandCharacters(Letters):
    """Shows the receiver, and a target of more than one character, each as a list of its characters."""

    name = "operand_characters"
    summary = "the characters of a string as a list, before each string operation"
    recipes = ("planned",)
    order = 79
    is_planned = True
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "Operands, and a result that a later operation uses",
            'def f():\n    text = "a-b"\n    new = text.replace("-b", "+")\n    return new.find("b", 1)\n',
            'def f():\n    text = "a-b"\n    _t0 = list(text)\n    _t1 = list("-b")\n'
            '    new = text.replace("-b", "+")\n    _t2 = list(new)\n    return new.find("b", 1)\n',
            "f()",
        ),
        RewriteExample(
            "No list of a result that nothing uses",
            'def f():\n    text = "a-b"\n    return text.replace("-b", "+")\n',
            'def f():\n    text = "a-b"\n    _t0 = list(text)\n    _t1 = list("-b")\n'
            '    return text.replace("-b", "+")\n',
            "f()",
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "One character, whose result is a string", 'def f():\n    c = "a"\n    return c.replace("a", "b")\n'
        ),
        UntouchedExample("Concatenation", "def f(a, b):\n    return a + b\n"),
    )

    def _result_wanted(self, found: LetterOperation, plan: LoweringPlan) -> bool:
        return False
