"""What startswith and endswith share: an affix within bounds, and one of several affixes."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import indent

import libcst as cst

from rewrite.anf.lowering import Lowering
from rewrite.string_methods.base import WholeMethod, within_bounds
from rewrite.string_methods.guards import is_exactly

SEVERAL = "several"
# Within bounds, for both ends; `{at}` is where the affix would begin. The empty text is left to the method: it is found
# nowhere behind the end, where a slice would find it.
_PART = """\
{size} = len({first})
if {size} > 0:
    {length} = len({text})
    {window} = slice({second}, {third})
    {bounds} = {window}.indices({length})
    {start} = {bounds}[0]
    {end} = {bounds}[1]
    {gap} = {end} - {size}
    {result} = {gap} >= {start}
    if {result}:
        for {index}, {character} in enumerate({first}):
            {left} = {at} + {index}
            {other} = {text}[{left}]
            if {other} != {character}:
                {result} = False
                break
else:
    {result} = {original}
"""
_CHOSEN = """\
    if {hit}:
        {result} = True
        break
"""
_LENGTH = "{length} = len({text})\n"


def templates(each: str, at: str) -> Mapping[int | str, str]:
    """For one affix, for one within bounds, where it would begin `at` that place, and for one of several.

    each: the template for one affix; it begins with the length of the text, which the others need only once.
    """
    assert each.startswith(_LENGTH)
    one = each.removeprefix(_LENGTH).replace("{first}", "{part}").replace("{result}", "{hit}")
    several = _LENGTH + "{result} = False\nfor {part} in {first}:\n" + indent(one, "    ") + _CHOSEN
    return {1: each, **within_bounds(_PART.replace("{at}", at)), SEVERAL: several}


class Affix(WholeMethod):
    """A method that looks at one end of a text; its form `SEVERAL` takes a tuple of affixes.

    That form is taken for a tuple written in the call, of expressions that are proven to be exactly `str`. Any other
    tuple stays with the method, which says itself what is wrong with an item.
    """

    def form(self, node: cst.Call) -> int | str | None:
        one_tuple = self.slots(node) == [0] and isinstance(node.args[0].value, cst.Tuple)
        return SEVERAL if one_tuple else super().form(node)

    def fits(self, node: cst.Call, steps: Lowering) -> bool:
        affixes = node.args[0].value if node.args else None
        if isinstance(affixes, cst.Tuple) and not all(_is_text(element, steps) for element in affixes.elements):
            return False
        return super().fits(node, steps)


def _is_text(element: cst.BaseElement, steps: Lowering) -> bool:
    return not isinstance(element, cst.StarredElement) and is_exactly(element.value, "str", steps)
