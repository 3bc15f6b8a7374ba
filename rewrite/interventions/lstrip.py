"""Lstrip character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.blanks import BLANK, BlankMethod

_SPACES = """\
{length} = len({text})
{start} = 0
while {start} < {length}:
    {character} = {text}[{start}]
    {hit} = str.isspace({character})
    if not {hit}:
        break
    {start} += 1
{result} = {text}[{start}:]
"""
_CHARACTERS = """\
{length} = len({text})
{start} = 0
while {start} < {length}:
    {character} = {text}[{start}]
    {hit} = False
    for {other} in {first}:
        if {other} == {character}:
            {hit} = True
            break
    if not {hit}:
        break
    {start} += 1
{result} = {text}[{start}:]
"""


class Lstrip(BlankMethod):
    """Characters dropped from the left, white space or those given, one after the other."""

    name = "lstrip"
    summary = "lstrip character by character"
    method = "lstrip"
    order = 58
    result = "str"
    exact: ClassVar[Mapping[int, str]] = {0: "str"}
    templates: ClassVar[Mapping[int | str, str]] = {0: _SPACES, BLANK: _SPACES, 1: _CHARACTERS}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "White space from the left",
            "def f(text, part):\n    return text.lstrip()\n",
            "def f(text, part):\n"
            "    if type(text) is str:\n"
            "        _t1 = len(text)\n"
            "        _t2 = 0\n"
            "        while _t2 < _t1:\n"
            "            _t3 = text[_t2]\n"
            "            _t4 = str.isspace(_t3)\n"
            "            if not _t4:\n"
            "                break\n"
            "            _t2 += 1\n"
            "        _t0 = text[_t2:]\n"
            "    else:\n"
            "        _t0 = text.lstrip()\n"
            "    return _t0\n",
            'f("  ab ", "")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (Untouched("Another type", 'def f(part):\n    return b"".lstrip()\n'),)
