"""`str.count` of one character: a loop over the characters that shows each comparison."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import BOUNDS, OneCharacter, within_bounds

_WHOLE = """\
{result} = 0
for {character} in {text}:
    if {character} == {first}:
        {result} += 1
"""
_PART = """\
{result} = 0
for {index} in {places}:
    {character} = {text}[{index}]
    if {character} == {first}:
        {result} += 1
"""


class Count(OneCharacter):
    """The number of times a character occurs, between bounds if there are any."""

    name = "count"
    summary = "count of one character into a loop over the characters"
    method = "count"
    order = 24
    templates: ClassVar[Mapping[int | str, str]] = {
        1: _WHOLE,
        **within_bounds(BOUNDS + _PART),
    }
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "How often a character occurs",
            'def f(items):\n    return [word.count("e") for word in items]\n',
            "def f(items):\n"
            "    _t0 = []\n"
            "    for word in items:\n"
            "        if type(word) is str:\n"
            "            _t1 = 0\n"
            "            for _t2 in word:\n"
            '                if _t2 == "e":\n'
            "                    _t1 += 1\n"
            "        else:\n"
            '            _t1 = word.count("e")\n'
            "        _t0.append(_t1)\n"
            "    return _t0\n",
            'f(["eel", ["e", "e"], "x"])',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("The target is not known to be one character", "def f(text, part):\n    return text.count(part)\n"),
        Untouched("The receiver is proven to be a list", 'def f():\n    return ["a"].count("a")\n'),
    )
