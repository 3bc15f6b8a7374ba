"""Capitalize character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod

_EACH = """\
{ascii} = str.isascii({text})
if {ascii}:
    {result} = ''
    for {index}, {character} in enumerate({text}):
        if {index} == 0:
            {part} = str.upper({character})
        else:
            {part} = str.lower({character})
        {result} += {part}
else:
    {result} = {original}
"""


class Capitalize(WholeMethod):
    """In ASCII only: elsewhere the case of a character can depend on its neighbours (final sigma)."""

    name = "capitalize"
    summary = "capitalize character by character"
    method = "capitalize"
    order = 45
    result = "str"
    templates: ClassVar[Mapping[int | str, str]] = {0: _EACH}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "The first letter and the others",
            "def f(text):\n    return text.capitalize()\n",
            "def f(text):\n"
            "    if type(text) is str:\n"
            "        _t1 = str.isascii(text)\n"
            "        if _t1:\n"
            "            _t0 = ''\n"
            "            for _t2, _t3 in enumerate(text):\n"
            "                if _t2 == 0:\n"
            "                    _t4 = str.upper(_t3)\n"
            "                else:\n"
            "                    _t4 = str.lower(_t3)\n"
            "                _t0 += _t4\n"
            "        else:\n"
            "            _t0 = str.capitalize(text)\n"
            "    else:\n"
            "        _t0 = text.capitalize()\n"
            "    return _t0\n",
            'f("hELLO")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("A receiver that is no text", "def f():\n    return [].capitalize()\n"),
        Untouched("An argument too many", "def f(text):\n    return text.capitalize(1)\n"),
    )
