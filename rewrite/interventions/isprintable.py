"""Isprintable character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod

_ALL = """\
{result} = True
for {character} in {text}:
    {result} = str.isprintable({character})
    if not {result}:
        break
"""


class Isprintable(WholeMethod):
    """Whether every character is: the loop ends at the first that is not; true of the empty text."""

    name = "isprintable"
    summary = "isprintable character by character"
    method = "isprintable"
    order = 53
    result = "bool"
    templates: ClassVar[Mapping[int | str, str]] = {0: _ALL}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "The empty text is",
            "def f(text):\n    return text.isprintable()\n",
            "def f(text):\n"
            "    if type(text) is str:\n"
            "        _t0 = True\n"
            "        for _t1 in text:\n"
            "            _t0 = str.isprintable(_t1)\n"
            "            if not _t0:\n"
            "                break\n"
            "    else:\n"
            "        _t0 = text.isprintable()\n"
            "    return _t0\n",
            'f("")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("A receiver that is no text", "def f():\n    return [].isprintable()\n"),
        Untouched("An argument too many", "def f(text):\n    return text.isprintable(1)\n"),
    )
