"""Methods of strings that take white space where their first argument is missing or None."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from rewrite.string_methods.base import WholeMethod

BLANK, SOME_BLANKS = "blank", "some blanks"

# Without a limit it is the same from either end.
SPACES = """\
{result} = []
{piece} = ''
for {character} in {text}:
    {hit} = str.isspace({character})
    if {hit}:
        if {piece} != '':
            {result}.append({piece})
            {piece} = ''
    else:
        {piece} += {character}
if {piece} != '':
    {result}.append({piece})
"""


class BlankMethod(WholeMethod):
    """A method that takes white space where its first argument is missing or the constant None.

    Templates: `BLANK` for None alone, `SOME_BLANKS` for it, or nothing, with a limit as the second argument.
    """

    def form(self, node: cst.Call) -> int | str | None:
        given = dict(zip(self.slots(node), (argument.value for argument in node.args), strict=False))
        if given and (0 not in given or _is_none(given[0])):
            form = {(0,): BLANK, (1,): SOME_BLANKS, (0, 1): SOME_BLANKS}.get(tuple(sorted(given)))
            return form if form in self.templates else None
        return super().form(node)

    def wanted(self, node: cst.Call, form: int | str) -> Mapping[int, str]:
        return {self.slots(node).index(1): "int"} if form == SOME_BLANKS else super().wanted(node, form)


def _is_none(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and node.value == "None"
