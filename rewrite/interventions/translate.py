"""Translate character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.intervention import Example, Untouched
from rewrite.strings import WholeMethod

_EACH = """\
{result} = ''
for {character} in {text}:
    {code} = ord({character})
    {entry} = {first}.get({code}, {character})
    if {entry} is None:
        continue
    if type({entry}) is int:
        if {entry} >= 0:
            if {entry} < 1114112:
                {entry} = chr({entry})
    if type({entry}) is str:
        {result} += {entry}
    else:
        {result} = {original}
        break
"""


class Translate(WholeMethod):
    """Each character looked up in the table; entries of odd types or out of range are left to the method itself."""

    name = "translate"
    summary = "translate character by character"
    method = "translate"
    order = 80
    result = "str"
    exact: ClassVar[Mapping[int, str]] = {0: "dict"}
    needed = frozenset({"ord", "chr"})
    templates: ClassVar[Mapping[int | str, str]] = {1: _EACH}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Each character looked up",
            "def f(text, part):\n    return text.translate(part)\n",
            "def f(text, part):\n"
            "    if type(text) is str:\n"
            "        if type(part) is dict:\n"
            "            _t0 = ''\n"
            "            for _t1 in text:\n"
            "                _t2 = ord(_t1)\n"
            "                _t3 = part.get(_t2, _t1)\n"
            "                if _t3 is None:\n"
            "                    continue\n"
            "                if type(_t3) is int:\n"
            "                    if _t3 >= 0:\n"
            "                        if _t3 < 1114112:\n"
            "                            _t3 = chr(_t3)\n"
            "                if type(_t3) is str:\n"
            "                    _t0 += _t3\n"
            "                else:\n"
            "                    _t0 = str.translate(text, part)\n"
            "                    break\n"
            "        else:\n"
            "            _t0 = text.translate(part)\n"
            "    else:\n"
            "        _t0 = text.translate(part)\n"
            "    return _t0\n",
            'f("abc", {97: "xy", 98: None})',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("Another type", 'def f(part):\n    return b"".translate(part)\n'),
    )
