"""Startswith character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.intervention import Example, Untouched
from rewrite.strings import WholeMethod

_EACH = """\
{length} = len({text})
{size} = len({first})
{result} = {size} <= {length}
if {result}:
    for {index}, {character} in enumerate({first}):
        {other} = {text}[{index}]
        if {other} != {character}:
            {result} = False
            break
"""
# Within bounds, for both ends; `{at}` is where the affix would begin. The empty text is left to the method: it is found
# nowhere behind the end, where a slice would find it.
PART = """\
{size} = len({first})
if {size} > 0:
    {length} = len({text})
    {window} = slice({second}, {third})
    {bounds} = {window}.indices({length})
    {start} = {bounds}[0]
    {end} = {bounds}[1]
    {gap} = {end} - {size}
    {result} = {gap} >= {start}
    if {result}:
        for {index}, {character} in enumerate({first}):
            {left} = {at} + {index}
            {other} = {text}[{left}]
            if {other} != {character}:
                {result} = False
                break
else:
    {result} = {original}
"""
_PART = PART.replace("{at}", "{start}")


class Startswith(WholeMethod):
    """The characters of a prefix compared one by one."""

    name = "startswith"
    summary = "startswith character by character"
    method = "startswith"
    order = 61
    result = "bool"
    exact: ClassVar[Mapping[int, str]] = {0: "str"}
    needed = frozenset({"len", "enumerate", "slice"})
    templates: ClassVar[Mapping[int | str, str]] = {1: _EACH, 2: _PART.replace("{third}", "None"), 3: _PART}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Letter by letter",
            "def f(text, part):\n    return text.startswith(part)\n",
            "def f(text, part):\n"
            "    if type(text) is str:\n"
            "        if type(part) is str:\n"
            "            _t1 = len(text)\n"
            "            _t2 = len(part)\n"
            "            _t0 = _t2 <= _t1\n"
            "            if _t0:\n"
            "                for _t3, _t4 in enumerate(part):\n"
            "                    _t5 = text[_t3]\n"
            "                    if _t5 != _t4:\n"
            "                        _t0 = False\n"
            "                        break\n"
            "        else:\n"
            "            _t0 = text.startswith(part)\n"
            "    else:\n"
            "        _t0 = text.startswith(part)\n"
            "    return _t0\n",
            'f("abcd", "abd")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("Another type", 'def f(part):\n    return b"".startswith(part)\n'),
    )
