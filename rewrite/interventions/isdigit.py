"""Isdigit character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod

_ALL = """\
{result} = False
for {character} in {text}:
    {result} = str.isdigit({character})
    if not {result}:
        break
"""


class Isdigit(WholeMethod):
    """Whether every character is: the loop ends at the first that is not, and the empty text is not."""

    name = "isdigit"
    summary = "isdigit character by character"
    method = "isdigit"
    order = 48
    result = "bool"
    templates: ClassVar[Mapping[int | str, str]] = {0: _ALL}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Up to the first that is no digit",
            "def f(text):\n    return text.isdigit()\n",
            "def f(text):\n"
            "    if type(text) is str:\n"
            "        _t0 = False\n"
            "        for _t1 in text:\n"
            "            _t0 = str.isdigit(_t1)\n"
            "            if not _t0:\n"
            "                break\n"
            "    else:\n"
            "        _t0 = text.isdigit()\n"
            "    return _t0\n",
            'f("12a")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("A receiver that is no text", "def f():\n    return [].isdigit()\n"),
        Untouched("An argument too many", "def f(text):\n    return text.isdigit(1)\n"),
    )
