"""Rsplit place by place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.blanks import BLANK, SOME_BLANKS, SPACES, BlankMethod

_SOME_SPACES = """\
{bits} = int.bit_length({second})
if {bits} < 32:
    {remaining} = {second}
    {result} = []
    {piece} = ''
    {end} = len({text})
    while {end} > 0:
        {index} = {end} - 1
        {character} = {text}[{index}]
        {hit} = str.isspace({character})
        if {hit}:
            if {piece} != '':
                {result}.insert(0, {piece})
                {piece} = ''
                {remaining} -= 1
        else:
            if {piece} == '':
                if {remaining} == 0:
                    {piece} = {text}[:{end}]
                    break
            {piece} = {character} + {piece}
        {end} = {index}
    if {piece} != '':
        {result}.insert(0, {piece})
else:
    {result} = {original}
"""
_ALL = """\
{size} = len({first})
if {size} > 0:
    {end} = len({text})
    {index} = {end} - {size}
    {result} = []
    while {index} >= 0:
        {right} = {index} + {size}
        {part} = {text}[{index}:{right}]
        if {part} == {first}:
            {piece} = {text}[{right}:{end}]
            {result}.insert(0, {piece})
            {end} = {index}
            {index} -= {size}
        else:
            {index} -= 1
    {piece} = {text}[:{end}]
    {result}.insert(0, {piece})
else:
    {result} = {original}
"""
_SOME = """\
{bits} = int.bit_length({second})
if {bits} < 32:
    {size} = len({first})
    if {size} > 0:
        {end} = len({text})
        {index} = {end} - {size}
        {remaining} = {second}
        {result} = []
        while {index} >= 0:
            if {remaining} == 0:
                break
            {right} = {index} + {size}
            {part} = {text}[{index}:{right}]
            if {part} == {first}:
                {piece} = {text}[{right}:{end}]
                {result}.insert(0, {piece})
                {end} = {index}
                {index} -= {size}
                {remaining} -= 1
            else:
                {index} -= 1
        {piece} = {text}[:{end}]
        {result}.insert(0, {piece})
    else:
        {result} = {original}
else:
    {result} = {original}
"""


class Rsplit(BlankMethod):
    """Pieces between white space or a separator, looked for from the right."""

    name = "rsplit"
    summary = "rsplit place by place"
    method = "rsplit"
    order = 66
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
            "From the right, at most twice",
            "def f(text, part):\n    return text.rsplit(part, maxsplit=2)\n",
            "def f(text, part):\n"
            "    if type(text) is str:\n"
            "        if type(part) is str:\n"
            "            _t1 = int.bit_length(2)\n"
            "            if _t1 < 32:\n"
            "                _t2 = len(part)\n"
            "                if _t2 > 0:\n"
            "                    _t3 = len(text)\n"
            "                    _t4 = _t3 - _t2\n"
            "                    _t5 = 2\n"
            "                    _t0 = []\n"
            "                    while _t4 >= 0:\n"
            "                        if _t5 == 0:\n"
            "                            break\n"
            "                        _t6 = _t4 + _t2\n"
            "                        _t7 = text[_t4:_t6]\n"
            "                        if _t7 == part:\n"
            "                            _t8 = text[_t6:_t3]\n"
            "                            _t0.insert(0, _t8)\n"
            "                            _t3 = _t4\n"
            "                            _t4 -= _t2\n"
            "                            _t5 -= 1\n"
            "                        else:\n"
            "                            _t4 -= 1\n"
            "                    _t8 = text[:_t3]\n"
            "                    _t0.insert(0, _t8)\n"
            "                else:\n"
            "                    _t0 = str.rsplit(text, part, 2)\n"
            "            else:\n"
            "                _t0 = str.rsplit(text, part, 2)\n"
            "        else:\n"
            "            _t0 = text.rsplit(part, maxsplit=2)\n"
            "    else:\n"
            "        _t0 = text.rsplit(part, maxsplit=2)\n"
            "    return _t0\n",
            'f("a-.-.b", "-.")',
        ),
        Example(
            "White space",
            "def f(text):\n    return text.rsplit()\n",
            "def f(text):\n"
            "    if type(text) is str:\n"
            "        _t0 = []\n"
            "        _t1 = ''\n"
            "        for _t2 in text:\n"
            "            _t3 = str.isspace(_t2)\n"
            "            if _t3:\n"
            "                if _t1 != '':\n"
            "                    _t0.append(_t1)\n"
            "                    _t1 = ''\n"
            "            else:\n"
            "                _t1 += _t2\n"
            "        if _t1 != '':\n"
            "            _t0.append(_t1)\n"
            "    else:\n"
            "        _t0 = text.rsplit()\n"
            "    return _t0\n",
            'f(" a  b ")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("Another type", 'def f(part):\n    return b"".rsplit(part, maxsplit=2)\n'),
    )
