"""Templates of the searches: find, rfind, index and rindex, of one character and of a longer text.

The four differ in two things: the end from which they look, and what a miss is, -1 or the error of the method itself.
Longer texts share with their `count` the places at which one may begin; the empty text is left to the method.
"""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import indent

from rewrite.string_methods.base import BOUNDS, within_bounds

Templates = Mapping[int | str, str]

_MISS = """\
if {result} == -1:
    {result} = {missed}
"""
_HIT = """\
    if {character} == {first}:
        {result} = {index}
        break
"""
_EACH = "{result} = -1\nfor {index}, {character} in enumerate({text}):\n" + _HIT
_EVERYWHERE = "{length} = len({text})\n{places} = range({length})\n"
_UPWARDS = "{result} = -1\nfor {index} in {places}:\n    {character} = {text}[{index}]\n" + _HIT
_DOWNWARDS = _UPWARDS.replace("in {places}", "in reversed({places})")


def of_character(*, last: bool = False, raises: bool = False) -> Templates:
    """A search for one character: the first or last place of it; -1 or an error where there is none."""
    found = _DOWNWARDS if last else _UPWARDS
    miss = _MISS if raises else ""
    return {
        1: (_EVERYWHERE + found if last else _EACH) + miss,
        **within_bounds(BOUNDS + found + miss),
    }


_LENGTHS = """\
{length} = len({text})
{size} = len({first})
if {size} > 0:
"""
_WITHOUT_BOUNDS = """\
    {gap} = {length} - {size}
    {right} = {gap} + 1
"""
_WITHIN_BOUNDS = """\
    {window} = slice({second}, {third})
    {bounds} = {window}.indices({length})
    {start} = {bounds}[0]
    {end} = {bounds}[1]
    {gap} = {end} - {size}
    {right} = {gap} + 1
"""
_EMPTY = """\
else:
    {result} = {original}
"""
_COMPARED = """\
        {left} = {index} + {size}
        {part} = {text}[{index}:{left}]
        if {part} == {first}:
            {result} = {index}
            break
"""
_FIRST = "    {result} = -1\n    for {index} in range(<places>):\n" + _COMPARED
_LAST = "    {places} = range(<places>)\n    {result} = -1\n    for {index} in reversed({places}):\n" + _COMPARED
_MISSED = indent(_MISS, "    ")


def of_text(*, last: bool = False, raises: bool = False) -> Templates:
    """The same for a text of any length, compared at each place."""
    return at_places((_LAST if last else _FIRST) + (_MISSED if raises else ""))


def at_places(loop: str) -> Templates:
    """A loop, indented once, over the places at which a text may begin.

    `<start>` in it stands for the first of them, `{right}` for the one behind the last, `<places>` for the arguments of
    a range over them.
    """
    whole = loop.replace("<start>", "0").replace("<places>", "{right}")
    part = loop.replace("<start>", "{start}").replace("<places>", "{start}, {right}")
    bounded = within_bounds(_LENGTHS + _WITHIN_BOUNDS + part + _EMPTY)
    return {1: _LENGTHS + _WITHOUT_BOUNDS + whole + _EMPTY, **bounded}
