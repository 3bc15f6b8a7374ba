"""Rpartition place by place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod

_EACH = """\
{size} = len({first})
if {size} > 0:
    {length} = len({text})
    {gap} = {length} - {size}
    {end} = {gap} + 1
    {places} = range({end})
    {result} = ('', '', {text})
    for {index} in reversed({places}):
        {right} = {index} + {size}
        {part} = {text}[{index}:{right}]
        if {part} == {first}:
            {piece} = {text}[:{index}]
            {rest} = {text}[{right}:]
            {result} = ({piece}, {first}, {rest})
            break
else:
    {result} = {original}
"""


class Rpartition(WholeMethod):
    """The text before the last separator, the separator, and the rest."""

    name = "rpartition"
    summary = "rpartition place by place"
    method = "rpartition"
    order = 68
    result = "tuple"
    exact: ClassVar[Mapping[int, str]] = {0: "str"}
    templates: ClassVar[Mapping[int | str, str]] = {1: _EACH}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "At the last separator",
            "def f(text, part):\n    return text.rpartition(part)\n",
            "def f(text, part):\n"
            "    if type(text) is str:\n"
            "        if type(part) is str:\n"
            "            _t1 = len(part)\n"
            "            if _t1 > 0:\n"
            "                _t2 = len(text)\n"
            "                _t3 = _t2 - _t1\n"
            "                _t4 = _t3 + 1\n"
            "                _t5 = range(_t4)\n"
            "                _t0 = ('', '', text)\n"
            "                for _t6 in reversed(_t5):\n"
            "                    _t7 = _t6 + _t1\n"
            "                    _t8 = text[_t6:_t7]\n"
            "                    if _t8 == part:\n"
            "                        _t9 = text[:_t6]\n"
            "                        _t10 = text[_t7:]\n"
            "                        _t0 = (_t9, part, _t10)\n"
            "                        break\n"
            "            else:\n"
            "                _t0 = str.rpartition(text, part)\n"
            "        else:\n"
            "            _t0 = text.rpartition(part)\n"
            "    else:\n"
            "        _t0 = text.rpartition(part)\n"
            "    return _t0\n",
            'f("a.b.c", ".")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("Another type", 'def f(part):\n    return b"".rpartition(part)\n'),
    )
