"""Ljust character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.widths import Padding

_SPACES = """\
if {first} < 10000:
    {result} = {text}
    {length} = len({text})
    while {length} < {first}:
        {result} += ' '
        {length} += 1
else:
    {result} = {original}
"""
_FILLED = """\
{size} = len({second})
if {size} == 1:
    if {first} < 10000:
        {result} = {text}
        {length} = len({text})
        while {length} < {first}:
            {result} += {second}
            {length} += 1
    else:
        {result} = {original}
else:
    {result} = {original}
"""


class Ljust(Padding):
    """Padding one character at a time; the method pads from 10,000 on (8,192 if no literal)."""

    name = "ljust"
    summary = "ljust character by character"
    method = "ljust"
    order = 76
    result = "str"
    exact: ClassVar[Mapping[int, str]] = {0: "int", 1: "str"}
    templates: ClassVar[Mapping[int | str, str]] = {1: _SPACES, 2: _FILLED}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "With a fill character",
            'def f(text, part):\n    return text.ljust(5, ".")\n',
            "def f(text, part):\n"
            "    if type(text) is str:\n"
            '        _t1 = len(".")\n'
            "        if _t1 == 1:\n"
            "            if 5 < 10000:\n"
            "                _t0 = text\n"
            "                _t2 = len(text)\n"
            "                while _t2 < 5:\n"
            '                    _t0 += "."\n'
            "                    _t2 += 1\n"
            "            else:\n"
            '                _t0 = str.ljust(text, 5, ".")\n'
            "        else:\n"
            '            _t0 = str.ljust(text, 5, ".")\n'
            "    else:\n"
            '        _t0 = text.ljust(5, ".")\n'
            "    return _t0\n",
            'f("ab", "")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("Another type", 'def f(part):\n    return b"".ljust(5, ".")\n'),
    )
