"""Isupper character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod

_ALL = """\
{result} = False
for {character} in {text}:
    {cased} = str.isupper({character})
    if {cased}:
        {result} = True
    else:
        {hit} = str.istitle({character})
        if {hit}:
            {result} = False
            break
        {hit} = str.islower({character})
        if {hit}:
            {result} = False
            break
"""


class Isupper(WholeMethod):
    """Whether there is a cased character and all of them are upper case."""

    name = "isupper"
    summary = "isupper character by character"
    method = "isupper"
    order = 56
    result = "bool"
    templates: ClassVar[Mapping[int | str, str]] = {0: _ALL}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Cased characters decide",
            "def f(text):\n    return text.isupper()\n",
            "def f(text):\n"
            "    if type(text) is str:\n"
            "        _t0 = False\n"
            "        for _t1 in text:\n"
            "            _t2 = str.isupper(_t1)\n"
            "            if _t2:\n"
            "                _t0 = True\n"
            "            else:\n"
            "                _t3 = str.istitle(_t1)\n"
            "                if _t3:\n"
            "                    _t0 = False\n"
            "                    break\n"
            "                _t3 = str.islower(_t1)\n"
            "                if _t3:\n"
            "                    _t0 = False\n"
            "                    break\n"
            "    else:\n"
            "        _t0 = text.isupper()\n"
            "    return _t0\n",
            'f("AB1")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("A receiver that is no text", "def f():\n    return [].isupper()\n"),
        Untouched("An argument too many", "def f(text):\n    return text.isupper(1)\n"),
    )
