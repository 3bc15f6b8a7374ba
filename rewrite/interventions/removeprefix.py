"""Removeprefix character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod

_EACH = """\
{length} = len({text})
{size} = len({first})
{hit} = {size} <= {length}
if {hit}:
    for {index}, {character} in enumerate({first}):
        {other} = {text}[{index}]
        if {other} != {character}:
            {hit} = False
            break
{result} = {text}
if {hit}:
    {result} = {text}[{size}:]
"""


class Removeprefix(WholeMethod):
    """The characters of a prefix compared one by one; then it is cut off, or the text is as it was."""

    name = "removeprefix"
    summary = "removeprefix character by character"
    method = "removeprefix"
    order = 63
    result = "str"
    exact: ClassVar[Mapping[int, str]] = {0: "str"}
    templates: ClassVar[Mapping[int | str, str]] = {1: _EACH}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Compared, then cut off",
            "def f(text, part):\n    return text.removeprefix(part)\n",
            "def f(text, part):\n"
            "    if type(text) is str:\n"
            "        if type(part) is str:\n"
            "            _t1 = len(text)\n"
            "            _t2 = len(part)\n"
            "            _t3 = _t2 <= _t1\n"
            "            if _t3:\n"
            "                for _t4, _t5 in enumerate(part):\n"
            "                    _t6 = text[_t4]\n"
            "                    if _t6 != _t5:\n"
            "                        _t3 = False\n"
            "                        break\n"
            "            _t0 = text\n"
            "            if _t3:\n"
            "                _t0 = text[_t2:]\n"
            "        else:\n"
            "            _t0 = text.removeprefix(part)\n"
            "    else:\n"
            "        _t0 = text.removeprefix(part)\n"
            "    return _t0\n",
            'f("prefix-x", "prefix-")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("Another type", 'def f(part):\n    return b"".removeprefix(part)\n'),
    )
