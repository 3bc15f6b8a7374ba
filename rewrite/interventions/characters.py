"""The intervention `characters`: a list of the characters of a string before a statement that iterates over them.

The intervention `letters` covers string operations. A loop over a string, `sorted(text)`, `text[i]` and
`range(len(text))` are not string operations but depend on its characters, which a model sees only as tokens. Before a
loop, the list is deleted again, because it would repeat in every frame. The planner weighs its gain against its cost.

Not in scope: strings that neither the source nor every call proves to be strings, and strings in a `while` test, where
they would be listed in each iteration.
"""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from rewrite.analysis.exact_types import exact_type
from rewrite.analysis.statement_heads import indexed_expressions, iterated_expressions
from rewrite.anf.intervention import Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.options import DEFAULT_OPTIONS, RewriteOptions
from rewrite.anf.plan import LoweringPlan
from rewrite.evidence.assumptions import exactly
from rewrite.evidence.facts import FactStatus, assume, fact_status
from rewrite.interventions.letters import is_listing, is_shown
from rewrite.string_methods.guards import is_short, list_characters
from rewrite.syntax import build
from rewrite.syntax.tree import code


class Characters(Intervention):
    """Inserts a list of the characters of a string; the string itself gets no temporary."""

    name = "characters"
    summary = "the characters of a string as a list, before a statement that iterates over them"
    recipes = ("planned",)
    kind = "letters"
    order = 85
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "A loop",
            'def f():\n    text = "a-b"\n    for c in text:\n        print(c)\n    return c\n',
            'def f():\n    text = "a-b"\n    _t0 = list(text)\n    del _t0\n    for c in text:\n        print(c)\n'
            "    return c\n",
            "f()",
        ),
        RewriteExample(
            "A loop over places",
            'def f():\n    text = "abc"\n    n = 0\n    for i in range(len(text)):\n        n += i\n    return n\n',
            'def f():\n    text = "abc"\n    n = 0\n    _t0 = list(text)\n    del _t0\n    for i in range(len(text)):\n'
            "        n += i\n    return n\n",
            "f()",
        ),
        RewriteExample(
            "Once, where it is done again",
            'def f():\n    text = "hello"\n    a, *b = text\n    for c, d in zip(text, text):\n'
            "        b += d\n    return b\n",
            'def f():\n    text = "hello"\n    _t0 = list(text)\n    a, *b = text\n    for c, d in zip(text, text):\n'
            "        b += d\n    return b\n",
            "f()",
        ),
        RewriteExample(
            "A variable with the name of the type",
            'def f(list):\n    text = "ab"\n    return sorted(text)\n',
            'def f(list):\n    text = "ab"\n    _t0 = [*text]\n    return sorted(text)\n',
            "f([])",
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample("A list", "def f():\n    items = [1, 2]\n    for item in items:\n        print(item)\n"),
        UntouchedExample("One character", 'def f():\n    c = "a"\n    return c[0]\n'),
        UntouchedExample("A value that may not be a string", "def f(text):\n    return sorted(text)\n"),
        UntouchedExample(
            "A list of the characters, which shows them itself", 'def f():\n    text = "ab"\n    return list(text)\n'
        ),
        UntouchedExample(
            "A test that is asked time and again",
            'def f():\n    text = "ab"\n    i = 0\n    while i < len(text):\n        i += 1\n',
        ),
    )

    def __init__(self, options: RewriteOptions = DEFAULT_OPTIONS) -> None:
        super().__init__(options)
        self._walked: dict[int, tuple[cst.CSTNode, frozenset[int]]] = {}  # by id; the statement keeps its id

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        if not isinstance(node, cst.Name) or not self._is_walked(node, plan) or is_listing(plan.around, node.value):
            return False
        if exact_type(node, plan.scope) == "char" or is_short(node, plan):
            return False
        return fact_status(node, exactly("str"), plan) is not FactStatus.UNKNOWN and not is_shown(code(node), plan)

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        assume(node, exactly("str"), steps)
        if not is_shown(code(node), steps):
            name = steps.fresh_temporary("list", "letters")
            steps.assign(name, list_characters(build.clone(node), steps))
            if isinstance(steps.around, cst.For) and steps.function.kind == "function":
                steps.emit(cst.Del(cst.Name(name)))  # the list was shown once; a loop has many frames
        return node

    def _is_walked(self, node: cst.Name, plan: LoweringPlan) -> bool:
        around = plan.around
        known = self._walked.get(id(around))
        if known is None:
            found = frozenset(
                id(one) for one in (*iterated_expressions(around), *indexed_expressions(around, plan.scope))
            )
            known = self._walked[id(around)] = (around, found)
        return id(node) in known[1]
