"""Isalpha character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod

_ALL = """\
{result} = False
for {character} in {text}:
    {result} = str.isalpha({character})
    if not {result}:
        break
"""


class Isalpha(WholeMethod):
    """Whether every character is: the loop ends at the first that is not, and the empty text is not."""

    name = "isalpha"
    summary = "isalpha character by character"
    method = "isalpha"
    order = 47
    result = "bool"
    templates: ClassVar[Mapping[int | str, str]] = {0: _ALL}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Up to the first that is no letter",
            "def f(text):\n    return text.isalpha()\n",
            "def f(text):\n"
            "    if type(text) is str:\n"
            "        _t0 = False\n"
            "        for _t1 in text:\n"
            "            _t0 = str.isalpha(_t1)\n"
            "            if not _t0:\n"
            "                break\n"
            "    else:\n"
            "        _t0 = text.isalpha()\n"
            "    return _t0\n",
            'f("ab1c")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("A receiver that is no text", "def f():\n    return [].isalpha()\n"),
        Untouched("An argument too many", "def f(text):\n    return text.isalpha(1)\n"),
    )
