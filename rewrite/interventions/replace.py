"""`str.replace` of one character: the new text grows character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.intervention import Example, Untouched
from rewrite.strings import OneCharacter

# A text in which nothing was replaced is the old object, as with the method.
_SAME = """\
if {result} == {text}:
    {result} = {text}
"""
_ALL = """\
{result} = ''
for {character} in {text}:
    if {character} == {first}:
        {result} += {second}
    else:
        {result} += {character}
"""
# A negative count never comes to zero: all are replaced.
_SOME = """\
{remaining} = {third}
{result} = ''
for {character} in {text}:
    {hit} = False
    if {remaining} != 0:
        {hit} = {character} == {first}
    if {hit}:
        {result} += {second}
        {remaining} -= 1
    else:
        {result} += {character}
"""


class Replace(OneCharacter):
    """Every occurrence of a character (or the first so many) replaced by a text."""

    name = "replace"
    summary = "replace of one character into a loop that builds the new text"
    method = "replace"
    order = 25
    result = "str"
    exact: ClassVar[Mapping[int, str]] = {1: "str", 2: "int"}
    templates: ClassVar[Mapping[int, str]] = {2: _ALL + _SAME, 3: _SOME + _SAME}
    EXAMPLES: ClassVar[tuple[Example, ...]] = (
        Example(
            "The new text grows character by character",
            'def f():\n    return "a b c".replace(" ", "--")\n',
            "def f():\n"
            "    _t0 = ''\n"
            '    for _t1 in "a b c":\n'
            '        if _t1 == " ":\n'
            '            _t0 += "--"\n'
            "        else:\n"
            "            _t0 += _t1\n"
            '    if _t0 == "a b c":\n'
            '        _t0 = "a b c"\n'
            "    return _t0\n",
            "f()",
        ),
        Example(
            "With a count, of unknown type",
            'def f(n):\n    return "a b c".replace(" ", "", n)\n',
            "def f(n):\n"
            "    if type(n) is int:\n"
            "        _t1 = n\n"
            "        _t0 = ''\n"
            '        for _t2 in "a b c":\n'
            "            _t3 = False\n"
            "            if _t1 != 0:\n"
            '                _t3 = _t2 == " "\n'
            "            if _t3:\n"
            '                _t0 += ""\n'
            "                _t1 -= 1\n"
            "            else:\n"
            "                _t0 += _t2\n"
            '        if _t0 == "a b c":\n'
            '            _t0 = "a b c"\n'
            "    else:\n"
            '        _t0 = "a b c".replace(" ", "", n)\n'
            "    return _t0\n",
            "f(1)",
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("The old text is longer than a character", 'def f(text):\n    return text.replace("ab", "c")\n'),
    )
