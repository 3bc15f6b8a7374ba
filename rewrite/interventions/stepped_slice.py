"""Slices of a text with a step (`text[::-1]`) character by character."""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from rewrite.analysis.exact_types import kind
from rewrite.anf.intervention import Example, Intervention, Untouched
from rewrite.anf.lowering import Lowering
from rewrite.string_methods.base import builtins_of, spell
from rewrite.string_methods.guards import TEXT, atoms, guard, may_be_text, missing
from rewrite.syntax import build
from rewrite.syntax.tree import code, substitute

_EACH = """\
{length} = len({text})
{window} = slice({lower}, {upper}, {step})
{bounds} = {window}.indices({length})
{places} = range(*{bounds})
{result} = ''
for {index} in {places}:
    {character} = {text}[{index}]
    {result} += {character}
"""


class SteppedSlice(Intervention):
    """The places of the slice, then the character at each of them."""

    name = "stepped_slice"
    summary = "slices of a text with a step character by character"
    recipes = ("methods",)
    guards = True
    order = 80
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Backwards",
            "def f(text):\n    return text[::-1]\n",
            "def f(text):\n"
            "    if type(text) is str:\n"
            "        _t1 = len(text)\n"
            "        _t2 = slice(None, None, -1)\n"
            "        _t3 = _t2.indices(_t1)\n"
            "        _t4 = range(*_t3)\n"
            "        _t0 = ''\n"
            "        for _t5 in _t4:\n"
            "            _t6 = text[_t5]\n"
            "            _t0 += _t6\n"
            "    else:\n"
            "        _t0 = text[::-1]\n"
            "    return _t0\n",
            'f("abc")',
        ),
        Example(
            "With bounds",
            'def f(a):\n    return "abcdef"[a:1:-2]\n',
            "def f(a):\n"
            '    _t1 = len("abcdef")\n'
            "    _t2 = slice(a, 1, -2)\n"
            "    _t3 = _t2.indices(_t1)\n"
            "    _t4 = range(*_t3)\n"
            "    _t0 = ''\n"
            "    for _t5 in _t4:\n"
            '        _t6 = "abcdef"[_t5]\n'
            "        _t0 += _t6\n"
            "    return _t0\n",
            "f(9)",
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("Without a step", "def f(text):\n    return text[1:]\n"),
        Untouched("A list", "def f(a):\n    return [a][::-1]\n"),
        Untouched("A target", "def f(text):\n    text[::2] = []\n"),
    )

    def claims(self, node: cst.BaseExpression, steps: Lowering) -> bool:
        if not isinstance(node, cst.Subscript) or len(node.slice) != 1:
            return False
        inner = node.slice[0].slice
        if not isinstance(inner, cst.Slice) or inner.step is None or not may_be_text(node.value, steps):
            return False
        return not missing(builtins_of(_EACH), node, steps)

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        assert isinstance(node, cst.Subscript) and isinstance(node.slice[0].slice, cst.Slice)
        inner = node.slice[0].slice
        parts = {"lower": inner.lower, "upper": inner.upper, "step": inner.step}
        old = [node.value, *(part for part in parts.values() if part is not None)]
        new = dict(zip(map(id, old), atoms(old, steps), strict=True))
        text = new[id(node.value)]
        result = steps.fresh("str" if kind(text, steps.scope) in TEXT else None, node)
        given = {name: "None" if part is None else code(new[id(part)]) for name, part in parts.items()}
        guard(
            [] if kind(text, steps.scope) in TEXT else [(text, "str")],
            lambda: spell(_EACH, {"result": result, "text": code(text)} | given, steps),
            lambda: steps.assign(result, substitute(node, {key: build.again(value) for key, value in new.items()})),
            steps,
        )
        return cst.Name(result)
