"""`str.index` of one character: a loop over the characters that shows each comparison."""

from __future__ import annotations

from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import OneCharacter
from rewrite.string_methods.searches import of_character


class Index(OneCharacter):
    """The first place of a character, or the ValueError of the method itself."""

    name = "index"
    summary = "index of one character into a loop over the characters"
    method = "index"
    order = 21
    templates = of_character(raises=True)
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "On a miss the method itself raises",
            'def f(c):\n    place = "abc".index("c")\n    return place, c\n',
            "def f(c):\n"
            "    _t0 = -1\n"
            '    for _t1, _t2 in enumerate("abc"):\n'
            '        if _t2 == "c":\n'
            "            _t0 = _t1\n"
            "            break\n"
            "    if _t0 == -1:\n"
            '        _t0 = str.index("abc", "c")\n'
            "    place = _t0\n"
            "    return place, c\n",
            "f(1)",
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("The target is not known to be one character", "def f(text, part):\n    return text.index(part)\n"),
        Untouched("The receiver is proven to be a list", 'def f():\n    return ["a"].index("a")\n'),
        Untouched(
            "type is not the builtin one",
            'def f(type, text):\n    return text.index("a")\n',
            "the name type is not Python's own here",
        ),
    )
