"""Endswith character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.affixes import Affix, templates

_EACH = """\
{length} = len({text})
{size} = len({first})
{gap} = {length} - {size}
{result} = {gap} >= 0
if {result}:
    for {index}, {character} in enumerate({first}):
        {left} = {gap} + {index}
        {other} = {text}[{left}]
        if {other} != {character}:
            {result} = False
            break
"""


class Endswith(Affix):
    """The characters of a suffix compared one by one."""

    name = "endswith"
    summary = "endswith character by character"
    method = "endswith"
    order = 62
    result = "bool"
    exact: ClassVar[Mapping[int, str]] = {0: "str"}
    templates = templates(_EACH, at="{gap}")
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Letter by letter",
            "def f(text, part):\n    return text.endswith(part)\n",
            "def f(text, part):\n"
            "    if type(text) is str:\n"
            "        if type(part) is str:\n"
            "            _t1 = len(text)\n"
            "            _t2 = len(part)\n"
            "            _t3 = _t1 - _t2\n"
            "            _t0 = _t3 >= 0\n"
            "            if _t0:\n"
            "                for _t4, _t5 in enumerate(part):\n"
            "                    _t6 = _t3 + _t4\n"
            "                    _t7 = text[_t6]\n"
            "                    if _t7 != _t5:\n"
            "                        _t0 = False\n"
            "                        break\n"
            "        else:\n"
            "            _t0 = text.endswith(part)\n"
            "    else:\n"
            "        _t0 = text.endswith(part)\n"
            "    return _t0\n",
            'f("abcd", "bcd")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("Another type", 'def f(part):\n    return b"".endswith(part)\n'),
    )
