"""`c in text` for one character: a loop over the characters that shows each comparison."""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from rewrite import build
from rewrite.intervention import Example, Intervention, Untouched
from rewrite.kinds import kind
from rewrite.steps import Steps
from rewrite.strings import TEXT, atom, guard, may_be_text, spell
from rewrite.tree import code

_LOOP = """\
{result} = {missed}
for {character} in {text}:
    if {character} == {target}:
        {result} = {found}
        break
"""


class Contains(Intervention):
    """Membership of a character in a text."""

    name = "contains"
    summary = "`in` and `not in` with one character into a loop over the characters"
    recipes = ("strings", "decompose", "methods")
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

    def claims(self, node: cst.BaseExpression, steps: Steps) -> bool:
        if not isinstance(node, cst.Comparison) or len(node.comparisons) != 1:
            return False
        target = node.comparisons[0]
        if not isinstance(target.operator, (cst.In, cst.NotIn)) or kind(node.left, steps.scope) != "char":
            return False
        if not may_be_text(target.comparator, steps):
            return False
        shadowed = [name for name in ("type", "str") if not steps.scope.is_builtin(name)]
        if shadowed:
            steps.refuse(node, f"the name {shadowed[0]} is not Python's own here")
        return not shadowed

    def expand(self, node: cst.BaseExpression, steps: Steps) -> cst.BaseExpression:
        assert isinstance(node, cst.Comparison)
        (target,) = node.comparisons
        left = atom(steps.value(node.left), steps, [target.comparator])
        right = atom(steps.value(target.comparator), steps)
        result = steps.fresh("bool")
        found, missed = ("True", "False") if isinstance(target.operator, cst.In) else ("False", "True")

        def spelled() -> None:
            given = {"result": result, "text": code(right), "target": code(left), "found": found, "missed": missed}
            spell(_LOOP, given, steps)

        def original() -> None:
            same = cst.ComparisonTarget(target.operator, build.again(right))
            steps.assign(result, cst.Comparison(build.again(left), [same]))

        tests = [] if kind(right, steps.scope) in TEXT else [(right, "str")]
        guard(tests, spelled, original, steps)
        return cst.Name(result)
