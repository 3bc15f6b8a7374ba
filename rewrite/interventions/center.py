"""Center character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.widths import Padding

_SPACES = """\
if {first} < 10000:
    {result} = {text}
    {length} = len({text})
    {gap} = {first} - {length}
    if {gap} > 0:
        {left} = {gap} // 2
        {right} = {gap} & {first}
        {right} = {right} & 1
        {left} += {right}
        {right} = {gap} - {left}
        for {index} in range({left}):
            {result} = ' ' + {result}
        for {index} in range({right}):
            {result} += ' '
else:
    {result} = {original}
"""
_FILLED = """\
{size} = len({second})
if {size} == 1:
    if {first} < 10000:
        {result} = {text}
        {length} = len({text})
        {gap} = {first} - {length}
        if {gap} > 0:
            {left} = {gap} // 2
            {right} = {gap} & {first}
            {right} = {right} & 1
            {left} += {right}
            {right} = {gap} - {left}
            for {index} in range({left}):
                {result} = {second} + {result}
            for {index} in range({right}):
                {result} += {second}
    else:
        {result} = {original}
else:
    {result} = {original}
"""


class Center(Padding):
    """Padding one character at a time; the method pads from 10,000 on (8,192 if no literal)."""

    name = "center"
    summary = "center character by character"
    method = "center"
    order = 78
    result = "str"
    exact: ClassVar[Mapping[int, str]] = {0: "int", 1: "str"}
    templates: ClassVar[Mapping[int | str, str]] = {1: _SPACES, 2: _FILLED}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "The odd space goes to the left or right as the method has it",
            "def f(text, part):\n    return text.center(6)\n",
            "def f(text, part):\n"
            "    if type(text) is str:\n"
            "        if 6 < 10000:\n"
            "            _t0 = text\n"
            "            _t1 = len(text)\n"
            "            _t2 = 6 - _t1\n"
            "            if _t2 > 0:\n"
            "                _t3 = _t2 // 2\n"
            "                _t4 = _t2 & 6\n"
            "                _t4 = _t4 & 1\n"
            "                _t3 += _t4\n"
            "                _t4 = _t2 - _t3\n"
            "                for _t5 in range(_t3):\n"
            "                    _t0 = ' ' + _t0\n"
            "                for _t5 in range(_t4):\n"
            "                    _t0 += ' '\n"
            "        else:\n"
            "            _t0 = str.center(text, 6)\n"
            "    else:\n"
            "        _t0 = text.center(6)\n"
            "    return _t0\n",
            'f("bc", "")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("Another type", 'def f(part):\n    return b"".center(6)\n'),
    )
