"""Join piece by piece."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import StringMethod

_EACH = """\
{result} = ''
for {index}, {item} in enumerate({first}):
    if type({item}) is str:
        if {index} != 0:
            {result} += {text}
        {result} += {item}
    else:
        {result} = {original}
        break
"""


class Join(StringMethod):
    """The pieces of a list, one after the other; anything in it that is no plain text is left to the method itself."""

    name = "join"
    summary = "join piece by piece"
    method = "join"
    order = 75
    recipes = ("methods",)
    result = "str"
    exact: ClassVar[Mapping[int, str]] = {0: "list"}
    templates: ClassVar[Mapping[int | str, str]] = {1: _EACH}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Piece by piece",
            'def f(words):\n    return "-.".join(words)\n',
            "def f(words):\n"
            "    if type(words) is list:\n"
            "        _t0 = ''\n"
            "        for _t1, _t2 in enumerate(words):\n"
            "            if type(_t2) is str:\n"
            "                if _t1 != 0:\n"
            '                    _t0 += "-."\n'
            "                _t0 += _t2\n"
            "            else:\n"
            '                _t0 = str.join("-.", words)\n'
            "                break\n"
            "    else:\n"
            '        _t0 = "-.".join(words)\n'
            "    return _t0\n",
            'f(["a", "b"])',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (Untouched("A tuple", 'def f():\n    return "".join(("a", "b"))\n'),)
