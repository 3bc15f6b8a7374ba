"""Isascii character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod

_ALL = """\
{result} = True
for {character} in {text}:
    {result} = str.isascii({character})
    if not {result}:
        break
"""


class Isascii(WholeMethod):
    """Whether every character is: the loop ends at the first that is not; true of the empty text."""

    name = "isascii"
    summary = "isascii character by character"
    method = "isascii"
    order = 54
    result = "bool"
    templates: ClassVar[Mapping[int | str, str]] = {0: _ALL}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Up to the first that is not",
            "def f(text):\n    return text.isascii()\n",
            "def f(text):\n"
            "    if type(text) is str:\n"
            "        _t0 = True\n"
            "        for _t1 in text:\n"
            "            _t0 = str.isascii(_t1)\n"
            "            if not _t0:\n"
            "                break\n"
            "    else:\n"
            "        _t0 = text.isascii()\n"
            "    return _t0\n",
            'f("abc\u00e9")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("A receiver that is no text", "def f():\n    return [].isascii()\n"),
        Untouched("An argument too many", "def f(text):\n    return text.isascii(1)\n"),
    )
