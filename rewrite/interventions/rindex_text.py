"""Rindex of a longer text place by place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod
from rewrite.string_methods.searches import of_text


class RindexText(WholeMethod):
    """rindex of a text of any length, compared at each place; the empty one is left to the method itself."""

    name = "rindex_text"
    summary = "rindex of a longer text place by place"
    method = "rindex"
    order = 72
    result = "int"
    exact: ClassVar[Mapping[int, str]] = {0: "str"}
    templates = of_text(last=True, raises=True)
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "From the last place on",
            "def f(text, part):\n    return text.rindex(part)\n",
            "def f(text, part):\n"
            "    if type(text) is str:\n"
            "        if type(part) is str:\n"
            "            _t1 = len(text)\n"
            "            _t2 = len(part)\n"
            "            if _t2 > 0:\n"
            "                _t3 = _t1 - _t2\n"
            "                _t4 = _t3 + 1\n"
            "                _t5 = range(_t4)\n"
            "                _t0 = -1\n"
            "                for _t6 in reversed(_t5):\n"
            "                    _t7 = _t6 + _t2\n"
            "                    _t8 = text[_t6:_t7]\n"
            "                    if _t8 == part:\n"
            "                        _t0 = _t6\n"
            "                        break\n"
            "                if _t0 == -1:\n"
            "                    _t0 = str.rindex(text, part)\n"
            "            else:\n"
            "                _t0 = str.rindex(text, part)\n"
            "        else:\n"
            "            _t0 = text.rindex(part)\n"
            "    else:\n"
            "        _t0 = text.rindex(part)\n"
            "    return _t0\n",
            'f("abab", "ba")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("Another type", 'def f(part):\n    return b"".rindex(part)\n'),
    )
