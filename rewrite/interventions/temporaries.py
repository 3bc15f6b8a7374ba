"""Nested expressions into temporaries (Appendix F of the paper), complete over the language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import libcst as cst

from corpora.errors import InputError
from rewrite import branches, comprehensions
from rewrite.effects import is_constant
from rewrite.intervention import Example, Intervention, Untouched
from rewrite.steps import Steps
from rewrite.tree import children

KINDS: dict[str, tuple[type[cst.BaseExpression], ...]] = {
    "operator": (cst.BinaryOperation, cst.UnaryOperation, cst.BooleanOperation, cst.IfExp),
    "comparison": (cst.Comparison,),
    "call": (cst.Call, cst.Await, cst.Yield),
    "attribute": (cst.Attribute,),
    "subscript": (cst.Subscript,),
    "display": (cst.Tuple, cst.List, cst.Set, cst.Dict),
    "comprehension": (cst.ListComp, cst.SetComp, cst.DictComp),
    "fstring": (cst.FormattedString, cst.ConcatenatedString),
    "walrus": (cst.NamedExpr,),
}


class Temporaries(Intervention):
    """Each operation that is an operand of another one gets a step and a name of its own.

    Options: `threshold`, the number of operations an operand must hold to be extracted (1: every one of them);
    `kinds`, the kinds of node that are extracted (names of `KINDS`; all of them unless told otherwise);
    `conditions`, whether a comparison or `not` that an `if` or `while` tests, and the `range` of a loop, get a name as
    well (the branch taken shows the one, the loop variable the other; loops that string operations become keep theirs).
    """

    name = "temporaries"
    summary = "nested expressions into temporaries, short-circuit evaluation and comprehensions into control flow"
    recipes = ("expressions", "decompose")
    order = 90
    at_root = False
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "The paper's example (Appendix F)",
            "def f(nums):\n    output = []\n    for n in nums:\n        output.append((nums.count(n), n))\n"
            "    output.sort(reverse=True)\n    return output\n",
            "def f(nums):\n    output = []\n    for n in nums:\n        _t0 = nums.count(n)\n        _t1 = (_t0, n)\n"
            "        output.append(_t1)\n    output.sort(reverse=True)\n    return output\n",
            "f([1, 1, 3, 1, 3, 1])",
        ),
        Example(
            "A while loop whose test hides a value keeps its continue",
            "def f(n):\n    total = 0\n    while n % 10 + total < 12:\n        n += 1\n        if n % 2:\n"
            "            continue\n        total += n * 2\n    return total, n\n",
            "def f(n):\n    total = 0\n    while True:\n        _t0 = n % 10\n        _t1 = _t0 + total\n"
            "        if not _t1 < 12:\n            break\n        n += 1\n        _t2 = n % 2\n        if _t2:\n"
            "            continue\n        _t3 = n * 2\n        total += _t3\n    return total, n\n",
            "f(1)",
        ),
        Example(
            "A comprehension becomes a loop",
            "def f(text):\n    return [c.upper() for c in text if c.isalpha()]\n",
            "def f(text):\n    _t0 = []\n    for c in text:\n        _t1 = c.isalpha()\n        if _t1:\n"
            "            _t2 = c.upper()\n            _t0.append(_t2)\n    return _t0\n",
            "f('a1b')",
        ),
        Example(
            "A method is bound before its arguments are evaluated",
            "def f(a, b):\n    return a.join(b[0].split())\n",
            "def f(a, b):\n    _t0 = a.join\n    _t1 = b[0]\n    _t2 = _t1.split()\n    return _t0(_t2)\n",
            "f('-', ['a b'])",
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("One operation a statement is what is wanted", "def f(a, b):\n    return a + b\n"),
        Untouched("A condition shows its value by the branch taken", "def f(a, b):\n    if a < b:\n        return a\n"),
        Untouched(
            "A scope that looks at its own variables",
            "def f(a):\n    b = len(a) + 1\n    return locals()\n",
            "the scope uses locals",
        ),
        Untouched(
            "A class body",
            "class A:\n    x = len('ab') + 1\n",
            "class body: a temporary would become an attribute",
        ),
    )

    def __init__(self, options: Mapping[str, object] | None = None) -> None:
        options = options or {}
        threshold, kinds = options.get("threshold", 1), options.get("kinds", tuple(KINDS))
        if not isinstance(threshold, int) or threshold < 1:
            raise InputError(f"threshold must be a number from 1 on, not {threshold!r}")
        if not isinstance(kinds, (tuple, list, set, frozenset)) or not set(kinds) <= KINDS.keys():
            raise InputError(f"kinds must be among {', '.join(KINDS)}, not {kinds!r}")
        conditions = options.get("conditions", False)
        if not isinstance(conditions, bool):
            raise InputError(f"conditions must be True or False, not {conditions!r}")
        self.threshold = threshold
        self.names_conditions = conditions
        self.types = tuple(node for kind in kinds for node in KINDS[kind])
        self._counts: dict[int, tuple[cst.CSTNode, int]] = {}  # by id; the node keeps its id

    def claims(self, node: cst.BaseExpression, steps: Steps) -> bool:
        return (
            isinstance(node, self.types)
            and self.operations(node) >= self.threshold
            and not is_constant(node)
            and not _stands_for_itself(node, steps)
        )

    def opens(self, node: cst.BaseExpression, steps: Steps) -> bool:
        if isinstance(node, cst.Comparison):
            return isinstance(node, self.types) and self.operations(node) > self.threshold
        if isinstance(node, (cst.ListComp, cst.SetComp, cst.DictComp)):
            return isinstance(node, self.types) and comprehensions.does_work(node)
        return False

    def expand(self, node: cst.BaseExpression, steps: Steps) -> cst.BaseExpression:
        if isinstance(node, cst.NamedExpr) and isinstance(node.target, cst.Name):
            value = steps.root(node.value)
            steps.assign(node.target.value, value)
            steps.bound.add(node.target.value)
            return cst.Name(node.target.value)
        return steps.save(steps.reduce(node))

    def operations(self, node: cst.CSTNode) -> int:
        """The number of operations in an expression, that of a chained comparison being its comparisons."""
        known = self._counts.get(id(node))
        if known is None:
            count = sum(self.operations(child) for child in children(node))
            if isinstance(node, self.types):
                count += len(node.comparisons) if branches.is_chain(node) else 1  # type: ignore[attr-defined]
            known = self._counts[id(node)] = (node, count)
        return known[1]


def _stands_for_itself(node: cst.BaseExpression, steps: Steps) -> bool:
    """Operations that are as good as a name: `super()`, a module's submodule, a tuple of builtin types, plain text."""
    if isinstance(node, cst.Call):
        return isinstance(node.func, cst.Name) and node.func.value == "super" and not node.args
    if isinstance(node, cst.Tuple):
        return all(
            isinstance(item, cst.Element)
            and isinstance(item.value, cst.Name)
            and steps.scope.is_builtin(item.value.value)
            for item in node.elements
        )
    if isinstance(node, cst.FormattedString):
        return all(isinstance(part, cst.FormattedStringText) for part in node.parts)
    if isinstance(node, cst.ConcatenatedString):
        return not any(isinstance(part, cst.FormattedString) for part in (node.left, node.right)) and not isinstance(
            node.right, cst.ConcatenatedString
        )
    return isinstance(node, cst.Attribute) and _is_module_path(node.value, steps)


def _is_module_path(node: cst.BaseExpression, steps: Steps) -> bool:
    while isinstance(node, cst.Attribute):
        node = node.value
    if not isinstance(node, cst.Name):
        return False
    owner = steps.scope.owner(node.value)
    return owner is not None and all(binding.how == "import" for binding in owner.bindings[node.value])
