"""Translate character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod

# A key that is no plain number may look when it is hashed and compared; the method asks it once for a character.
_EACH = """\
{numbered} = True
for {key} in {first}:
    {numbered} = type({key}) is int
    if not {numbered}:
        break
if {numbered}:
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
else:
    {result} = {original}
"""


class Translate(WholeMethod):
    """Each character looked up in the table; entries of odd types or out of range are left to the method itself."""

    name = "translate"
    summary = "translate character by character"
    method = "translate"
    order = 80
    result = "str"
    exact: ClassVar[Mapping[int, str]] = {0: "dict"}
    templates: ClassVar[Mapping[int | str, str]] = {1: _EACH}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Each character looked up",
            "def f(text, part):\n    return text.translate(part)\n",
            "def f(text, part):\n"
            "    if type(text) is str:\n"
            "        if type(part) is dict:\n"
            "            _t1 = True\n"
            "            for _t2 in part:\n"
            "                _t1 = type(_t2) is int\n"
            "                if not _t1:\n"
            "                    break\n"
            "            if _t1:\n"
            "                _t0 = ''\n"
            "                for _t3 in text:\n"
            "                    _t4 = ord(_t3)\n"
            "                    _t5 = part.get(_t4, _t3)\n"
            "                    if _t5 is None:\n"
            "                        continue\n"
            "                    if type(_t5) is int:\n"
            "                        if _t5 >= 0:\n"
            "                            if _t5 < 1114112:\n"
            "                                _t5 = chr(_t5)\n"
            "                    if type(_t5) is str:\n"
            "                        _t0 += _t5\n"
            "                    else:\n"
            "                        _t0 = str.translate(text, part)\n"
            "                        break\n"
            "            else:\n"
            "                _t0 = str.translate(text, part)\n"
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
