"""`str.rindex` of one character, from the right: a loop over the characters that shows each comparison."""

from __future__ import annotations

from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import OneCharacter
from rewrite.string_methods.searches import of_character


class RIndex(OneCharacter):
    """The last place of a character, or the ValueError of the method itself."""

    name = "rindex"
    summary = "rindex of one character into a loop over the characters"
    method = "rindex"
    order = 23
    templates = of_character(last=True, raises=True)
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "From the right, between bounds",
            'def f(n):\n    text = str(12321)\n    return text.rindex("2", 0, n)\n',
            "def f(n):\n"
            "    text = str(12321)\n"
            "    _t1 = len(text)\n"
            "    _t2 = slice(0, n)\n"
            "    _t3 = _t2.indices(_t1)\n"
            "    _t4 = range(*_t3)\n"
            "    _t0 = -1\n"
            "    for _t5 in reversed(_t4):\n"
            "        _t6 = text[_t5]\n"
            '        if _t6 == "2":\n'
            "            _t0 = _t5\n"
            "            break\n"
            "    if _t0 == -1:\n"
            "        _t0 = str.rindex('', \"2\")\n"
            "    return _t0\n",
            "f(3)",
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("The target is not known to be one character", "def f(text, part):\n    return text.rindex(part)\n"),
        Untouched("The receiver is proven to be a list", 'def f():\n    return ["a"].rindex("a")\n'),
    )
