"""Find of a longer text place by place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import WholeMethod
from rewrite.string_methods.searches import of_text


class FindText(WholeMethod):
    """find of a text of any length, compared at each place; the empty one is left to the method itself."""

    name = "find_text"
    summary = "find of a longer text place by place"
    method = "find"
    order = 69
    result = "int"
    exact: ClassVar[Mapping[int, str]] = {0: "str"}
    templates = of_text()
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "Place by place",
            "def f(text, part):\n    return text.find(part)\n",
            "def f(text, part):\n"
            "    if type(text) is str:\n"
            "        if type(part) is str:\n"
            "            _t1 = len(text)\n"
            "            _t2 = len(part)\n"
            "            if _t2 > 0:\n"
            "                _t3 = _t1 - _t2\n"
            "                _t4 = _t3 + 1\n"
            "                _t0 = -1\n"
            "                for _t5 in range(_t4):\n"
            "                    _t6 = _t5 + _t2\n"
            "                    _t7 = text[_t5:_t6]\n"
            "                    if _t7 == part:\n"
            "                        _t0 = _t5\n"
            "                        break\n"
            "            else:\n"
            "                _t0 = str.find(text, part)\n"
            "        else:\n"
            "            _t0 = text.find(part)\n"
            "    else:\n"
            "        _t0 = text.find(part)\n"
            "    return _t0\n",
            'f("sea-.shell", "-.")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("Another type", 'def f(part):\n    return b"".find(part)\n'),
    )
