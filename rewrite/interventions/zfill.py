"""Zfill character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.widths import Padding

_EACH = """\
if {first} < 10000:
    {sign} = {text}[:1]
    {rest} = {text}
    if {sign} == '+':
        {rest} = {text}[1:]
    elif {sign} == '-':
        {rest} = {text}[1:]
    else:
        {sign} = ''
    {length} = len({text})
    while {length} < {first}:
        {rest} = '0' + {rest}
        {length} += 1
    {result} = {sign} + {rest}
else:
    {result} = {original}
"""


class Zfill(Padding):
    """Zeros one at a time, behind a sign; the method pads from 10,000 on (8,192 if no literal)."""

    name = "zfill"
    summary = "zfill character by character"
    method = "zfill"
    order = 79
    result = "str"
    exact: ClassVar[Mapping[int, str]] = {0: "int"}
    templates: ClassVar[Mapping[int | str, str]] = {1: _EACH}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Zeros behind the sign",
            "def f(text, part):\n    return text.zfill(5)\n",
            "def f(text, part):\n"
            "    if type(text) is str:\n"
            "        if 5 < 10000:\n"
            "            _t1 = text[:1]\n"
            "            _t2 = text\n"
            "            if _t1 == '+':\n"
            "                _t2 = text[1:]\n"
            "            elif _t1 == '-':\n"
            "                _t2 = text[1:]\n"
            "            else:\n"
            "                _t1 = ''\n"
            "            _t3 = len(text)\n"
            "            while _t3 < 5:\n"
            "                _t2 = '0' + _t2\n"
            "                _t3 += 1\n"
            "            _t0 = _t1 + _t2\n"
            "        else:\n"
            "            _t0 = str.zfill(text, 5)\n"
            "    else:\n"
            "        _t0 = text.zfill(5)\n"
            "    return _t0\n",
            'f("-12", "")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (Untouched("Another type", 'def f(part):\n    return b"".zfill(5)\n'),)
