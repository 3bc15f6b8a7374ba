"""Swapcase character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod

_EACH = """\
{ascii} = str.isascii({text})
if {ascii}:
    {result} = ''
    for {character} in {text}:
        {hit} = str.isupper({character})
        if {hit}:
            {part} = str.lower({character})
        else:
            {part} = str.upper({character})
        {result} += {part}
else:
    {result} = {original}
"""


class Swapcase(WholeMethod):
    """In ASCII only: elsewhere the case of a character can depend on its neighbours (final sigma)."""

    name = "swapcase"
    summary = "swapcase character by character"
    method = "swapcase"
    order = 44
    result = "str"
    templates: ClassVar[Mapping[int | str, str]] = {0: _EACH}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Letter by letter",
            "def f(text):\n    return text.swapcase()\n",
            "def f(text):\n"
            "    if type(text) is str:\n"
            "        _t1 = str.isascii(text)\n"
            "        if _t1:\n"
            "            _t0 = ''\n"
            "            for _t2 in text:\n"
            "                _t3 = str.isupper(_t2)\n"
            "                if _t3:\n"
            "                    _t4 = str.lower(_t2)\n"
            "                else:\n"
            "                    _t4 = str.upper(_t2)\n"
            "                _t0 += _t4\n"
            "        else:\n"
            "            _t0 = str.swapcase(text)\n"
            "    else:\n"
            "        _t0 = text.swapcase()\n"
            "    return _t0\n",
            'f("987yhNSh")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("A receiver that is no text", "def f():\n    return [].swapcase()\n"),
        Untouched("An argument too many", "def f(text):\n    return text.swapcase(1)\n"),
    )
