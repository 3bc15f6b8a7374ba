"""Strip character by character."""

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
{end} = len({text})
while {end} > {start}:
    {index} = {end} - 1
    {character} = {text}[{index}]
    {hit} = str.isspace({character})
    if not {hit}:
        break
    {end} = {index}
{result} = {text}[{start}:{end}]
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
{end} = len({text})
while {end} > {start}:
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
{result} = {text}[{start}:{end}]
"""


class Strip(BlankMethod):
    """Characters dropped from both ends, white space or those given, one after the other."""

    name = "strip"
    summary = "strip character by character"
    method = "strip"
    order = 60
    result = "str"
    exact: ClassVar[Mapping[int, str]] = {0: "str"}
    templates: ClassVar[Mapping[int | str, str]] = {0: _SPACES, BLANK: _SPACES, 1: _CHARACTERS}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Characters from both ends",
            "def f(text, part):\n    return text.strip(part)\n",
            "def f(text, part):\n"
            "    if type(text) is str:\n"
            "        if type(part) is str:\n"
            "            _t1 = len(text)\n"
            "            _t2 = 0\n"
            "            while _t2 < _t1:\n"
            "                _t3 = text[_t2]\n"
            "                _t4 = False\n"
            "                for _t5 in part:\n"
            "                    if _t5 == _t3:\n"
            "                        _t4 = True\n"
            "                        break\n"
            "                if not _t4:\n"
            "                    break\n"
            "                _t2 += 1\n"
            "            _t6 = len(text)\n"
            "            while _t6 > _t2:\n"
            "                _t7 = _t6 - 1\n"
            "                _t3 = text[_t7]\n"
            "                _t4 = False\n"
            "                for _t5 in part:\n"
            "                    if _t5 == _t3:\n"
            "                        _t4 = True\n"
            "                        break\n"
            "                if not _t4:\n"
            "                    break\n"
            "                _t6 = _t7\n"
            "            _t0 = text[_t2:_t6]\n"
            "        else:\n"
            "            _t0 = text.strip(part)\n"
            "    else:\n"
            "        _t0 = text.strip(part)\n"
            "    return _t0\n",
            'f("tcmfsmj", "jt")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("Another type", 'def f(part):\n    return b"".strip(part)\n'),
    )
