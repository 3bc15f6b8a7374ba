"""Lower character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod

_EACH = """\
{ascii} = str.isascii({text})
if {ascii}:
    {result} = ''
    for {character} in {text}:
        {part} = str.lower({character})
        {result} += {part}
else:
    {result} = {original}
"""


class Lower(WholeMethod):
    """In ASCII only: elsewhere the case of a character can depend on its neighbours (final sigma)."""

    name = "lower"
    summary = "lower character by character"
    method = "lower"
    order = 43
    result = "str"
    templates: ClassVar[Mapping[int | str, str]] = {0: _EACH}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Letter by letter",
            "def f(text):\n    return text.lower()\n",
            "def f(text):\n"
            "    if type(text) is str:\n"
            "        _t1 = str.isascii(text)\n"
            "        if _t1:\n"
            "            _t0 = ''\n"
            "            for _t2 in text:\n"
            "                _t3 = str.lower(_t2)\n"
            "                _t0 += _t3\n"
            "        else:\n"
            "            _t0 = str.lower(text)\n"
            "    else:\n"
            "        _t0 = text.lower()\n"
            "    return _t0\n",
            'f("A-B")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("A receiver that is no text", "def f():\n    return [].lower()\n"),
        Untouched("An argument too many", "def f(text):\n    return text.lower(1)\n"),
    )
