"""Casefold character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod

_EACH = """\
{result} = ''
for {character} in {text}:
    {part} = str.casefold({character})
    {result} += {part}
"""


class Casefold(WholeMethod):
    """Each character through casefold, whose result depends on no other character."""

    name = "casefold"
    summary = "casefold character by character"
    method = "casefold"
    order = 42
    result = "str"
    templates: ClassVar[Mapping[int | str, str]] = {0: _EACH}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Letter by letter",
            "def f(text):\n    return text.casefold()\n",
            "def f(text):\n"
            "    if type(text) is str:\n"
            "        _t0 = ''\n"
            "        for _t1 in text:\n"
            "            _t2 = str.casefold(_t1)\n"
            "            _t0 += _t2\n"
            "    else:\n"
            "        _t0 = text.casefold()\n"
            "    return _t0\n",
            'f("Stra\u00dfe")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("A receiver that is no text", "def f():\n    return [].casefold()\n"),
        Untouched("An argument too many", "def f(text):\n    return text.casefold(1)\n"),
    )
