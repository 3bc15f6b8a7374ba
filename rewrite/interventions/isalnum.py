"""Isalnum character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod

_ALL = """\
{result} = False
for {character} in {text}:
    {result} = str.isalnum({character})
    if not {result}:
        break
"""


class Isalnum(WholeMethod):
    """Whether every character is: the loop ends at the first that is not, and the empty text is not."""

    name = "isalnum"
    summary = "isalnum character by character"
    method = "isalnum"
    order = 49
    result = "bool"
    templates: ClassVar[Mapping[int | str, str]] = {0: _ALL}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Up to the first that is neither",
            "def f(text):\n    return text.isalnum()\n",
            "def f(text):\n"
            "    if type(text) is str:\n"
            "        _t0 = False\n"
            "        for _t1 in text:\n"
            "            _t0 = str.isalnum(_t1)\n"
            "            if not _t0:\n"
            "                break\n"
            "    else:\n"
            "        _t0 = text.isalnum()\n"
            "    return _t0\n",
            'f("a1 b")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("A receiver that is no text", "def f():\n    return [].isalnum()\n"),
        Untouched("An argument too many", "def f(text):\n    return text.isalnum(1)\n"),
    )
