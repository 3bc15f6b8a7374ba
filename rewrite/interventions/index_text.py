"""Index of a longer text place by place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod
from rewrite.string_methods.searches import of_text


class IndexText(WholeMethod):
    """index of a text of any length, compared at each place; the empty one is left to the method itself."""

    name = "index_text"
    summary = "index of a longer text place by place"
    method = "index"
    order = 70
    result = "int"
    exact: ClassVar[Mapping[int, str]] = {0: "str"}
    templates = of_text(raises=True)
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "From a bound on",
            "def f(text, part):\n    return text.index(part, 1)\n",
            "def f(text, part):\n"
            "    if type(text) is str:\n"
            "        if type(part) is str:\n"
            "            _t1 = len(text)\n"
            "            _t2 = len(part)\n"
            "            if _t2 > 0:\n"
            "                _t3 = slice(1, None)\n"
            "                _t4 = _t3.indices(_t1)\n"
            "                _t5 = _t4[0]\n"
            "                _t6 = _t4[1]\n"
            "                _t7 = _t6 - _t2\n"
            "                _t8 = _t7 + 1\n"
            "                _t0 = -1\n"
            "                for _t9 in range(_t5, _t8):\n"
            "                    _t10 = _t9 + _t2\n"
            "                    _t11 = text[_t9:_t10]\n"
            "                    if _t11 == part:\n"
            "                        _t0 = _t9\n"
            "                        break\n"
            "                if _t0 == -1:\n"
            "                    _t0 = str.index(text, part, 1)\n"
            "            else:\n"
            "                _t0 = str.index(text, part, 1)\n"
            "        else:\n"
            "            _t0 = text.index(part, 1)\n"
            "    else:\n"
            "        _t0 = text.index(part, 1)\n"
            "    return _t0\n",
            'f("abab", "ab")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("Another type", 'def f(part):\n    return b"".index(part, 1)\n'),
    )
