"""Title character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod

_EACH = """\
{ascii} = str.isascii({text})
if {ascii}:
    {cased} = False
    {result} = ''
    for {character} in {text}:
        if {cased}:
            {part} = str.lower({character})
        else:
            {part} = str.upper({character})
        {cased} = str.isalpha({character})
        {result} += {part}
else:
    {result} = {original}
"""


class Title(WholeMethod):
    """In ASCII only: elsewhere the case of a character can depend on its neighbours (final sigma)."""

    name = "title"
    summary = "title character by character"
    method = "title"
    order = 46
    result = "str"
    templates: ClassVar[Mapping[int | str, str]] = {0: _EACH}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "A flag says whether a letter came before",
            "def f(text):\n    return text.title()\n",
            "def f(text):\n"
            "    if type(text) is str:\n"
            "        _t1 = str.isascii(text)\n"
            "        if _t1:\n"
            "            _t2 = False\n"
            "            _t0 = ''\n"
            "            for _t3 in text:\n"
            "                if _t2:\n"
            "                    _t4 = str.lower(_t3)\n"
            "                else:\n"
            "                    _t4 = str.upper(_t3)\n"
            "                _t2 = str.isalpha(_t3)\n"
            "                _t0 += _t4\n"
            "        else:\n"
            "            _t0 = str.title(text)\n"
            "    else:\n"
            "        _t0 = text.title()\n"
            "    return _t0\n",
            'f("hello wORLD")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("A receiver that is no text", "def f():\n    return [].title()\n"),
        Untouched("An argument too many", "def f(text):\n    return text.title(1)\n"),
    )
