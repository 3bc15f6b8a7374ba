"""`part in text` for texts of any length, compared at each place."""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from rewrite.analysis.exact_types import kind
from rewrite.anf.intervention import Example, Untouched
from rewrite.anf.lowering import Lowering
from rewrite.string_methods.membership import Membership

_EACH = """\
{result} = {missed}
{length} = len({text})
{size} = len({first})
{gap} = {length} - {size}
{right} = {gap} + 1
for {index} in range({right}):
    {left} = {index} + {size}
    {part} = {text}[{index}:{left}]
    if {part} == {first}:
        {result} = {found}
        break
"""


class ContainsText(Membership):
    """Membership of a text in a text; the empty text is found at the first place."""

    name = "contains_text"
    summary = "`in` and `not in` with a longer text place by place"
    recipes = ("methods",)
    template = _EACH
    order = 79
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Place by place",
            'def f(text):\n    return "ab" in text\n',
            "def f(text):\n"
            "    if type(text) is str:\n"
            "        _t0 = False\n"
            "        _t1 = len(text)\n"
            '        _t2 = len("ab")\n'
            "        _t3 = _t1 - _t2\n"
            "        _t4 = _t3 + 1\n"
            "        for _t5 in range(_t4):\n"
            "            _t6 = _t5 + _t2\n"
            "            _t7 = text[_t5:_t6]\n"
            '            if _t7 == "ab":\n'
            "                _t0 = True\n"
            "                break\n"
            "    else:\n"
            '        _t0 = "ab" in text\n'
            "    return _t0\n",
            'f("cab")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("Two unknown values", "def f(a, b):\n    return a in b\n"),
        Untouched("A list", 'def f(a):\n    return "ab" in [a]\n'),
    )

    def fits(self, node: cst.Comparison, steps: Lowering) -> bool:
        # Of two unknown values nothing says that texts are meant: that would be a guess at every `in`.
        return kind(node.left, steps.scope) is not None or kind(node.comparisons[0].comparator, steps.scope) is not None
