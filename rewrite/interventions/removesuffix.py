"""Removesuffix character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod

_EACH = """\
{length} = len({text})
{size} = len({first})
{gap} = {length} - {size}
{hit} = {gap} >= 0
if {hit}:
    for {index}, {character} in enumerate({first}):
        {left} = {gap} + {index}
        {other} = {text}[{left}]
        if {other} != {character}:
            {hit} = False
            break
{result} = {text}
if {hit}:
    {result} = {text}[:{gap}]
"""


class Removesuffix(WholeMethod):
    """The characters of a suffix compared one by one; then it is cut off, or the text is as it was."""

    name = "removesuffix"
    summary = "removesuffix character by character"
    method = "removesuffix"
    order = 64
    result = "str"
    exact: ClassVar[Mapping[int, str]] = {0: "str"}
    templates: ClassVar[Mapping[int | str, str]] = {1: _EACH}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Compared, then cut off",
            "def f(text, part):\n    return text.removesuffix(part)\n",
            "def f(text, part):\n"
            "    if type(text) is str:\n"
            "        if type(part) is str:\n"
            "            _t1 = len(text)\n"
            "            _t2 = len(part)\n"
            "            _t3 = _t1 - _t2\n"
            "            _t4 = _t3 >= 0\n"
            "            if _t4:\n"
            "                for _t5, _t6 in enumerate(part):\n"
            "                    _t7 = _t3 + _t5\n"
            "                    _t8 = text[_t7]\n"
            "                    if _t8 != _t6:\n"
            "                        _t4 = False\n"
            "                        break\n"
            "            _t0 = text\n"
            "            if _t4:\n"
            "                _t0 = text[:_t3]\n"
            "        else:\n"
            "            _t0 = text.removesuffix(part)\n"
            "    else:\n"
            "        _t0 = text.removesuffix(part)\n"
            "    return _t0\n",
            'f("x.py", ".py")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("Another type", 'def f(part):\n    return b"".removesuffix(part)\n'),
    )
