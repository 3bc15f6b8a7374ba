"""Count of a longer text place by place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod
from rewrite.string_methods.searches import at_places

_COUNTED = """\
    {result} = 0
    {index} = <start>
    while {index} < {right}:
        {left} = {index} + {size}
        {part} = {text}[{index}:{left}]
        if {part} == {first}:
            {result} += 1
            {index} = {left}
        else:
            {index} += 1
"""


class CountText(WholeMethod):
    """count of a text of any length, compared at each place; the empty one is left to the method itself."""

    name = "count_text"
    summary = "count of a longer text place by place"
    method = "count"
    order = 73
    result = "int"
    exact: ClassVar[Mapping[int, str]] = {0: "str"}
    templates = at_places(_COUNTED)
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Occurrences do not overlap",
            "def f(text, part):\n    return text.count(part)\n",
            "def f(text, part):\n"
            "    if type(text) is str:\n"
            "        if type(part) is str:\n"
            "            _t1 = len(text)\n"
            "            _t2 = len(part)\n"
            "            if _t2 > 0:\n"
            "                _t3 = _t1 - _t2\n"
            "                _t4 = _t3 + 1\n"
            "                _t0 = 0\n"
            "                _t5 = 0\n"
            "                while _t5 < _t4:\n"
            "                    _t6 = _t5 + _t2\n"
            "                    _t7 = text[_t5:_t6]\n"
            "                    if _t7 == part:\n"
            "                        _t0 += 1\n"
            "                        _t5 = _t6\n"
            "                    else:\n"
            "                        _t5 += 1\n"
            "            else:\n"
            "                _t0 = str.count(text, part)\n"
            "        else:\n"
            "            _t0 = text.count(part)\n"
            "    else:\n"
            "        _t0 = text.count(part)\n"
            "    return _t0\n",
            'f("aaa", "aa")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("Another type", 'def f(part):\n    return b"".count(part)\n'),
    )
