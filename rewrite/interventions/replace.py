"""`str.replace` of one character: the new text grows character by character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rewrite.anf.intervention import Example, Untouched
from rewrite.string_methods.base import OneCharacter

# A text in which nothing was replaced is the old object, as with the method.
_ALL = """\
{result} = ''
for {character} in {text}:
    if {character} == {first}:
        {result} += {second}
    else:
        {result} += {character}
if {result} == {text}:
    {result} = {text}
"""
# A negative count never comes to zero: all are replaced. A huge one is an error of the method itself.
_SOME = """\
{bits} = int.bit_length({third})
if {bits} < 32:
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
    if {result} == {text}:
        {result} = {text}
else:
    {result} = {original}
"""


class Replace(OneCharacter):
    """Every occurrence of a character (or the first so many) replaced by a text."""

    name = "replace"
    summary = "replace of one character into a loop that builds the new text"
    method = "replace"
    order = 25
    result = "str"
    exact: ClassVar[Mapping[int, str]] = {1: "str", 2: "int"}
    templates: ClassVar[Mapping[int | str, str]] = {2: _ALL, 3: _SOME}
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
            "        _t1 = int.bit_length(n)\n"
            "        if _t1 < 32:\n"
            "            _t2 = n\n"
            "            _t0 = ''\n"
            '            for _t3 in "a b c":\n'
            "                _t4 = False\n"
            "                if _t2 != 0:\n"
            '                    _t4 = _t3 == " "\n'
            "                if _t4:\n"
            '                    _t0 += ""\n'
            "                    _t2 -= 1\n"
            "                else:\n"
            "                    _t0 += _t3\n"
            '            if _t0 == "a b c":\n'
            '                _t0 = "a b c"\n'
            "        else:\n"
            '            _t0 = str.replace("a b c", " ", "", n)\n'
            "    else:\n"
            '        _t0 = "a b c".replace(" ", "", n)\n'
            "    return _t0\n",
            "f(1)",
        ),
    )
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = (
        Untouched("The old text is longer than a character", 'def f(text):\n    return text.replace("ab", "c")\n'),
    )
