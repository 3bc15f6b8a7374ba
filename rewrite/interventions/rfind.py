"""`str.rfind` of one character, from the right: a loop over the characters that shows each comparison."""

from __future__ import annotations

from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import OneCharacter
from rewrite.string_methods.searches import of_character


class RFind(OneCharacter):
    """The last place of a character, or -1."""

    name = "rfind"
    summary = "rfind of one character into a loop over the characters"
    method = "rfind"
    order = 22
    templates = of_character(last=True)
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "From the right",
            'def f():\n    return "a-b-c".rfind("-")\n',
            "def f():\n"
            '    _t1 = len("a-b-c")\n'
            "    _t2 = range(_t1)\n"
            "    _t0 = -1\n"
            "    for _t3 in reversed(_t2):\n"
            '        _t4 = "a-b-c"[_t3]\n'
            '        if _t4 == "-":\n'
            "            _t0 = _t3\n"
            "            break\n"
            "    return _t0\n",
            "f()",
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("The target is not known to be one character", "def f(text, part):\n    return text.rfind(part)\n"),
        Untouched("The receiver is proven to be a list", 'def f():\n    return ["a"].rfind("a")\n'),
    )
