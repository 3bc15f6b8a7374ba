"""Split place by place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.blanks import BLANK, SOME_BLANKS, SPACES, BlankMethod

_SOME_SPACES = """\
{bits} = int.bit_length({second})
if {bits} < 32:
    {length} = len({text})
    {remaining} = {second}
    {result} = []
    {piece} = ''
    {index} = 0
    while {index} < {length}:
        {character} = {text}[{index}]
        {hit} = str.isspace({character})
        if {hit}:
            if {piece} != '':
                {result}.append({piece})
                {piece} = ''
                {remaining} -= 1
        else:
            if {piece} == '':
                if {remaining} == 0:
                    {piece} = {text}[{index}:]
                    break
            {piece} += {character}
        {index} += 1
    if {piece} != '':
        {result}.append({piece})
else:
    {result} = {original}
"""
_ALL = """\
{size} = len({first})
if {size} > 0:
    {length} = len({text})
    {result} = []
    {piece} = ''
    {index} = 0
    while {index} < {length}:
        {end} = {index} + {size}
        {part} = {text}[{index}:{end}]
        if {part} == {first}:
            {result}.append({piece})
            {piece} = ''
            {index} = {end}
        else:
            {character} = {text}[{index}]
            {piece} += {character}
            {index} += 1
    {result}.append({piece})
else:
    {result} = {original}
"""
_SOME = """\
{bits} = int.bit_length({second})
if {bits} < 32:
    {size} = len({first})
    if {size} > 0:
        {length} = len({text})
        {remaining} = {second}
        {result} = []
        {piece} = ''
        {index} = 0
        while {index} < {length}:
            if {remaining} == 0:
                break
            {end} = {index} + {size}
            {part} = {text}[{index}:{end}]
            if {part} == {first}:
                {result}.append({piece})
                {piece} = ''
                {index} = {end}
                {remaining} -= 1
            else:
                {character} = {text}[{index}]
                {piece} += {character}
                {index} += 1
        {rest} = {text}[{index}:]
        {piece} += {rest}
        {result}.append({piece})
    else:
        {result} = {original}
else:
    {result} = {original}
"""


class Split(BlankMethod):
    """Pieces between white space or a separator, looked for from the left."""

    name = "split"
    summary = "split place by place"
    method = "split"
    order = 65
    result = "list"
    keywords = ("sep", "maxsplit")
    exact: ClassVar[Mapping[int, str]] = {0: "str", 1: "int"}
    templates: ClassVar[Mapping[int | str, str]] = {
        0: SPACES,
        BLANK: SPACES,
        SOME_BLANKS: _SOME_SPACES,
        1: _ALL,
        2: _SOME,
    }
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "At a separator",
            "def f(text, part):\n    return text.split(part)\n",
            "def f(text, part):\n"
            "    if type(text) is str:\n"
            "        if type(part) is str:\n"
            "            _t1 = len(part)\n"
            "            if _t1 > 0:\n"
            "                _t2 = len(text)\n"
            "                _t0 = []\n"
            "                _t3 = ''\n"
            "                _t4 = 0\n"
            "                while _t4 < _t2:\n"
            "                    _t5 = _t4 + _t1\n"
            "                    _t6 = text[_t4:_t5]\n"
            "                    if _t6 == part:\n"
            "                        _t0.append(_t3)\n"
            "                        _t3 = ''\n"
            "                        _t4 = _t5\n"
            "                    else:\n"
            "                        _t7 = text[_t4]\n"
            "                        _t3 += _t7\n"
            "                        _t4 += 1\n"
            "                _t0.append(_t3)\n"
            "            else:\n"
            "                _t0 = str.split(text, part)\n"
            "        else:\n"
            "            _t0 = text.split(part)\n"
            "    else:\n"
            "        _t0 = text.split(part)\n"
            "    return _t0\n",
            'f("a-.-.b", "-.")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("Another type", 'def f(part):\n    return b"".split(part)\n'),
    )
