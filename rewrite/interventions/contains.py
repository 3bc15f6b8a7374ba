"""`c in text` for one character: a loop over the characters that shows each comparison."""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from rewrite.analysis.exact_types import kind
from rewrite.anf.intervention import Example, Untouched
from rewrite.anf.lowering import Lowering
from rewrite.string_methods.membership import Membership

_LOOP = """\
{result} = {missed}
for {character} in {text}:
    if {character} == {first}:
        {result} = {found}
        break
"""


class Contains(Membership):
    """Membership of a character in a text."""

    name = "contains"
    summary = "`in` and `not in` with one character into a loop over the characters"
    recipes = ("strings", "decompose", "methods")
    template = _LOOP
    order = 26
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Membership of a character",
            'def f(text):\n    if "a" in text:\n        return 1\n    return 0\n',
            "def f(text):\n"
            "    if type(text) is str:\n"
            "        _t0 = False\n"
            "        for _t1 in text:\n"
            '            if _t1 == "a":\n'
            "                _t0 = True\n"
            "                break\n"
            "    else:\n"
            '        _t0 = "a" in text\n'
            "    if _t0:\n"
            "        return 1\n"
            "    return 0\n",
            'f("cab")',
        ),
        Example(
            "Characters of a text, looked up in a text",
            "def f():\n"
            "    found = 0\n"
            '    for c in "hello":\n'
            '        if c not in "aeiou":\n'
            "            found += 1\n"
            "    return found\n",
            "def f():\n"
            "    found = 0\n"
            '    for c in "hello":\n'
            "        _t0 = True\n"
            '        for _t1 in "aeiou":\n'
            "            if _t1 == c:\n"
            "                _t0 = False\n"
            "                break\n"
            "        if _t0:\n"
            "            found += 1\n"
            "    return found\n",
            "f()",
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("A list", 'def f():\n    return "a" in ["a", "b"]\n'),
        Untouched("A longer target", 'def f(text):\n    return "ab" in text\n'),
    )

    def fits(self, node: cst.Comparison, steps: Lowering) -> bool:
        return kind(node.left, steps.scope) == "char"
