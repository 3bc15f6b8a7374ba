"""Isspace character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod

_ALL = """\
{result} = False
for {character} in {text}:
    {result} = str.isspace({character})
    if not {result}:
        break
"""


class Isspace(WholeMethod):
    """Whether every character is: the loop ends at the first that is not, and the empty text is not."""

    name = "isspace"
    summary = "isspace character by character"
    method = "isspace"
    order = 50
    result = "bool"
    templates: ClassVar[Mapping[int | str, str]] = {0: _ALL}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Up to the first that is none",
            "def f(text):\n    return text.isspace()\n",
            "def f(text):\n"
            "    if type(text) is str:\n"
            "        _t0 = False\n"
            "        for _t1 in text:\n"
            "            _t0 = str.isspace(_t1)\n"
            "            if not _t0:\n"
            "                break\n"
            "    else:\n"
            "        _t0 = text.isspace()\n"
            "    return _t0\n",
            'f(" \\t x")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("A receiver that is no text", "def f():\n    return [].isspace()\n"),
        Untouched("An argument too many", "def f(text):\n    return text.isspace(1)\n"),
    )
