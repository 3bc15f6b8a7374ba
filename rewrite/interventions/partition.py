"""Partition place by place."""

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
    {result} = ({text}, '', '')
    for {index} in range({end}):
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


class Partition(WholeMethod):
    """The text before the first separator, the separator, and the rest."""

    name = "partition"
    summary = "partition place by place"
    method = "partition"
    order = 67
    result = "tuple"
    exact: ClassVar[Mapping[int, str]] = {0: "str"}
    templates: ClassVar[Mapping[int | str, str]] = {1: _EACH}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "At the first separator",
            "def f(text, part):\n    return text.partition(part)\n",
            "def f(text, part):\n"
            "    if type(text) is str:\n"
            "        if type(part) is str:\n"
            "            _t1 = len(part)\n"
            "            if _t1 > 0:\n"
            "                _t2 = len(text)\n"
            "                _t3 = _t2 - _t1\n"
            "                _t4 = _t3 + 1\n"
            "                _t0 = (text, '', '')\n"
            "                for _t5 in range(_t4):\n"
            "                    _t6 = _t5 + _t1\n"
            "                    _t7 = text[_t5:_t6]\n"
            "                    if _t7 == part:\n"
            "                        _t8 = text[:_t5]\n"
            "                        _t9 = text[_t6:]\n"
            "                        _t0 = (_t8, part, _t9)\n"
            "                        break\n"
            "            else:\n"
            "                _t0 = str.partition(text, part)\n"
            "        else:\n"
            "            _t0 = text.partition(part)\n"
            "    else:\n"
            "        _t0 = text.partition(part)\n"
            "    return _t0\n",
            'f("volunteer", "l")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("Another type", 'def f(part):\n    return b"".partition(part)\n'),
    )
