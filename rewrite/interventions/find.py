"""`str.find` of one character: a loop over the characters that shows each comparison."""

from __future__ import annotations

from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import OneCharacter
from rewrite.string_methods.searches import of_character


class Find(OneCharacter):
    """The first place of a character, or -1."""

    name = "find"
    summary = "find of one character into a loop over the characters"
    method = "find"
    order = 20
    templates = of_character()
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "The place of a character in a text that is proven to be a str",
            'def f():\n    text = "a-b-c"\n    return text.find("-")\n',
            "def f():\n"
            '    text = "a-b-c"\n'
            "    _t0 = -1\n"
            "    for _t1, _t2 in enumerate(text):\n"
            '        if _t2 == "-":\n'
            "            _t0 = _t1\n"
            "            break\n"
            "    return _t0\n",
            "f()",
        ),
        Example(
            "A receiver that may be anything is tested first",
            'def f(text):\n    return text.find("-", 2)\n',
            "def f(text):\n"
            "    if type(text) is str:\n"
            "        _t1 = len(text)\n"
            "        _t2 = slice(2, None)\n"
            "        _t3 = _t2.indices(_t1)\n"
            "        _t4 = range(*_t3)\n"
            "        _t0 = -1\n"
            "        for _t5 in _t4:\n"
            "            _t6 = text[_t5]\n"
            '            if _t6 == "-":\n'
            "                _t0 = _t5\n"
            "                break\n"
            "    else:\n"
            '        _t0 = text.find("-", 2)\n'
            "    return _t0\n",
            'f("a-b-c")',
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("The target is not known to be one character", "def f(text, part):\n    return text.find(part)\n"),
        Untouched("The receiver is proven to be a list", 'def f():\n    return ["a"].find("a")\n'),
        Untouched(
            "type is not the builtin one",
            'def f(type, text):\n    return text.find("a")\n',
            "the name type is not Python's own here",
        ),
    )
