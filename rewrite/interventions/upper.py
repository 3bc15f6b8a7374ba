"""Upper character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod

_EACH = """\
{result} = ''
for {character} in {text}:
    {part} = str.upper({character})
    {result} += {part}
"""


class Upper(WholeMethod):
    """Each character through upper, whose result depends on no other character."""

    name = "upper"
    summary = "upper character by character"
    method = "upper"
    order = 41
    result = "str"
    templates: ClassVar[Mapping[int | str, str]] = {0: _EACH}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Letter by letter",
            "def f(text):\n    return text.upper()\n",
            "def f(text):\n"
            "    if type(text) is str:\n"
            "        _t0 = ''\n"
            "        for _t1 in text:\n"
            "            _t2 = str.upper(_t1)\n"
            "            _t0 += _t2\n"
            "    else:\n"
            "        _t0 = text.upper()\n"
            "    return _t0\n",
            'f("stra\u00dfe")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("A receiver that is no text", "def f():\n    return [].upper()\n"),
        Untouched("An argument too many", "def f(text):\n    return text.upper(1)\n"),
    )
