"""Startswith character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.affixes import Affix, templates

_EACH = """\
{length} = len({text})
{size} = len({first})
{result} = {size} <= {length}
if {result}:
    for {index}, {character} in enumerate({first}):
        {other} = {text}[{index}]
        if {other} != {character}:
            {result} = False
            break
"""


class Startswith(Affix):
    """The characters of a prefix compared one by one."""

    name = "startswith"
    summary = "startswith character by character"
    method = "startswith"
    order = 61
    result = "bool"
    exact: ClassVar[Mapping[int, str]] = {0: "str"}
    templates = templates(_EACH, at="{start}")
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Letter by letter",
            "def f(text, part):\n    return text.startswith(part)\n",
            "def f(text, part):\n"
            "    if type(text) is str:\n"
            "        if type(part) is str:\n"
            "            _t1 = len(text)\n"
            "            _t2 = len(part)\n"
            "            _t0 = _t2 <= _t1\n"
            "            if _t0:\n"
            "                for _t3, _t4 in enumerate(part):\n"
            "                    _t5 = text[_t3]\n"
            "                    if _t5 != _t4:\n"
            "                        _t0 = False\n"
            "                        break\n"
            "        else:\n"
            "            _t0 = text.startswith(part)\n"
            "    else:\n"
            "        _t0 = text.startswith(part)\n"
            "    return _t0\n",
            'f("abcd", "abd")',
        ),
        Example(
            "One of several",
            "def f(text):\n    return text.startswith(('ab', 'ac'))\n",
            "def f(text):\n"
            "    if type(text) is str:\n"
            "        _t1 = ('ab', 'ac')\n"
            "        _t2 = len(text)\n"
            "        _t0 = False\n"
            "        for _t3 in _t1:\n"
            "            _t4 = len(_t3)\n"
            "            _t5 = _t4 <= _t2\n"
            "            if _t5:\n"
            "                for _t6, _t7 in enumerate(_t3):\n"
            "                    _t8 = text[_t6]\n"
            "                    if _t8 != _t7:\n"
            "                        _t5 = False\n"
            "                        break\n"
            "            if _t5:\n"
            "                _t0 = True\n"
            "                break\n"
            "    else:\n"
            "        _t0 = text.startswith(('ab', 'ac'))\n"
            "    return _t0\n",
            'f("acd")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("Another type", 'def f(part):\n    return b"".startswith(part)\n'),
        Untouched(
            "An item that may be no text",
            'def f(text, part):\n    return text.startswith(("a", part))\n',
            "a method of strings with other arguments than are spelled out",
        ),
    )
