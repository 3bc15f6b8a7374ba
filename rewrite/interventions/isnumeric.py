"""Isnumeric character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod

_ALL = """\
{result} = False
for {character} in {text}:
    {result} = str.isnumeric({character})
    if not {result}:
        break
"""


class Isnumeric(WholeMethod):
    """Whether every character is: the loop ends at the first that is not, and the empty text is not."""

    name = "isnumeric"
    summary = "isnumeric character by character"
    method = "isnumeric"
    order = 51
    result = "bool"
    templates: ClassVar[Mapping[int | str, str]] = {0: _ALL}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Up to the first that is not",
            "def f(text):\n    return text.isnumeric()\n",
            "def f(text):\n"
            "    if type(text) is str:\n"
            "        _t0 = False\n"
            "        for _t1 in text:\n"
            "            _t0 = str.isnumeric(_t1)\n"
            "            if not _t0:\n"
            "                break\n"
            "    else:\n"
            "        _t0 = text.isnumeric()\n"
            "    return _t0\n",
            'f("1\u00bdx")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("A receiver that is no text", "def f():\n    return [].isnumeric()\n"),
        Untouched("An argument too many", "def f(text):\n    return text.isnumeric(1)\n"),
    )
