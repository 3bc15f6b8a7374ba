"""Rstrip character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.blanks import BLANK, BlankMethod

_SPACES = """\
{end} = len({text})
while {end} > 0:
    {index} = {end} - 1
    {character} = {text}[{index}]
    {hit} = str.isspace({character})
    if not {hit}:
        break
    {end} = {index}
{result} = {text}[:{end}]
"""
_CHARACTERS = """\
{end} = len({text})
while {end} > 0:
    {index} = {end} - 1
    {character} = {text}[{index}]
    {hit} = False
    for {other} in {first}:
        if {other} == {character}:
            {hit} = True
            break
    if not {hit}:
        break
    {end} = {index}
{result} = {text}[:{end}]
"""


class Rstrip(BlankMethod):
    """Characters dropped from the right, white space or those given, one after the other."""

    name = "rstrip"
    summary = "rstrip character by character"
    method = "rstrip"
    order = 59
    result = "str"
    exact: ClassVar[Mapping[int, str]] = {0: "str"}
    templates: ClassVar[Mapping[int | str, str]] = {0: _SPACES, BLANK: _SPACES, 1: _CHARACTERS}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Characters from the right",
            "def f(text, part):\n    return text.rstrip(part)\n",
            "def f(text, part):\n"
            "    if type(text) is str:\n"
            "        if type(part) is str:\n"
            "            _t1 = len(text)\n"
            "            while _t1 > 0:\n"
            "                _t2 = _t1 - 1\n"
            "                _t3 = text[_t2]\n"
            "                _t4 = False\n"
            "                for _t5 in part:\n"
            "                    if _t5 == _t3:\n"
            "                        _t4 = True\n"
            "                        break\n"
            "                if not _t4:\n"
            "                    break\n"
            "                _t1 = _t2\n"
            "            _t0 = text[:_t1]\n"
            "        else:\n"
            "            _t0 = text.rstrip(part)\n"
            "    else:\n"
            "        _t0 = text.rstrip(part)\n"
            "    return _t0\n",
            'f("2.XQuery 2.", " 2.")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("Another type", 'def f(part):\n    return b"".rstrip(part)\n'),
    )
