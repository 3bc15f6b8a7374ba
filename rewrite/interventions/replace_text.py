"""Replace of a longer text place by place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod

_ALL = """\
{size} = len({first})
if {size} > 0:
    {length} = len({text})
    {result} = ''
    {index} = 0
    while {index} < {length}:
        {end} = {index} + {size}
        {part} = {text}[{index}:{end}]
        if {part} == {first}:
            {result} += {second}
            {index} = {end}
        else:
            {character} = {text}[{index}]
            {result} += {character}
            {index} += 1
    if {result} == {text}:
        {result} = {text}
else:
    {result} = {original}
"""
_SOME = """\
{bits} = int.bit_length({third})
if {bits} < 32:
    {size} = len({first})
    if {size} > 0:
        {length} = len({text})
        {remaining} = {third}
        {result} = ''
        {index} = 0
        while {index} < {length}:
            if {remaining} == 0:
                break
            {end} = {index} + {size}
            {part} = {text}[{index}:{end}]
            if {part} == {first}:
                {result} += {second}
                {index} = {end}
                {remaining} -= 1
            else:
                {character} = {text}[{index}]
                {result} += {character}
                {index} += 1
        {rest} = {text}[{index}:]
        {result} += {rest}
        if {result} == {text}:
            {result} = {text}
    else:
        {result} = {original}
else:
    {result} = {original}
"""


class ReplaceText(WholeMethod):
    """Every occurrence of a text (or the first so many) replaced; an empty one is left to the method itself."""

    name = "replace_text"
    summary = "replace of a longer text place by place"
    method = "replace"
    order = 74
    result = "str"
    exact: ClassVar[Mapping[int, str]] = {0: "str", 1: "str", 2: "int"}
    templates: ClassVar[Mapping[int | str, str]] = {2: _ALL, 3: _SOME}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Place by place",
            'def f(text, part):\n    return text.replace(part, "+")\n',
            "def f(text, part):\n"
            "    if type(text) is str:\n"
            "        if type(part) is str:\n"
            "            _t1 = len(part)\n"
            "            if _t1 > 0:\n"
            "                _t2 = len(text)\n"
            "                _t0 = ''\n"
            "                _t3 = 0\n"
            "                while _t3 < _t2:\n"
            "                    _t4 = _t3 + _t1\n"
            "                    _t5 = text[_t3:_t4]\n"
            "                    if _t5 == part:\n"
            '                        _t0 += "+"\n'
            "                        _t3 = _t4\n"
            "                    else:\n"
            "                        _t6 = text[_t3]\n"
            "                        _t0 += _t6\n"
            "                        _t3 += 1\n"
            "                if _t0 == text:\n"
            "                    _t0 = text\n"
            "            else:\n"
            '                _t0 = str.replace(text, part, "+")\n'
            "        else:\n"
            '            _t0 = text.replace(part, "+")\n'
            "    else:\n"
            '        _t0 = text.replace(part, "+")\n'
            "    return _t0\n",
            'f("a--b-", "--")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("Another type", 'def f(part):\n    return b"".replace(part, "+")\n'),
    )
