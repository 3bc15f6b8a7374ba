"""Istitle character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod

_ALL = """\
{result} = False
{cased} = False
for {character} in {text}:
    {upper} = str.istitle({character})
    {lower} = str.islower({character})
    if {upper}:
        if {cased}:
            {result} = False
            break
        {cased} = True
        {result} = True
    elif {lower}:
        if not {cased}:
            {result} = False
            break
    else:
        {cased} = False
"""


class Istitle(WholeMethod):
    """Whether upper case stands at the start of each run of cased characters, and only there."""

    name = "istitle"
    summary = "istitle character by character"
    method = "istitle"
    order = 57
    result = "bool"
    templates: ClassVar[Mapping[int | str, str]] = {0: _ALL}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Two states: after a letter or not",
            "def f(text):\n    return text.istitle()\n",
            "def f(text):\n"
            "    if type(text) is str:\n"
            "        _t0 = False\n"
            "        _t1 = False\n"
            "        for _t2 in text:\n"
            "            _t3 = str.istitle(_t2)\n"
            "            _t4 = str.islower(_t2)\n"
            "            if _t3:\n"
            "                if _t1:\n"
            "                    _t0 = False\n"
            "                    break\n"
            "                _t1 = True\n"
            "                _t0 = True\n"
            "            elif _t4:\n"
            "                if not _t1:\n"
            "                    _t0 = False\n"
            "                    break\n"
            "            else:\n"
            "                _t1 = False\n"
            "    else:\n"
            "        _t0 = text.istitle()\n"
            "    return _t0\n",
            'f("Ab Cd")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("A receiver that is no text", "def f():\n    return [].istitle()\n"),
        Untouched("An argument too many", "def f(text):\n    return text.istitle(1)\n"),
    )
