"""`str.replace` of one character: the new text grows character by character."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import libcst as cst

from rewrite.intervention import Example, Untouched
from rewrite.steps import Steps
from rewrite.strings import Atom, StringMethod

# A text in which nothing was replaced is the old object, as with the method.
_ALL = """\
{result} = ''
for {character} in {text}:
    if {character} == {target}:
        {result} += {new}
    else:
        {result} += {character}
if {result} == {text}:
    {result} = {text}
"""
# A negative count never comes to zero: all are replaced.
_SOME = """\
{result} = ''
{remaining} = {count}
for {character} in {text}:
    {hit} = False
    if {remaining} != 0:
        {hit} = {character} == {target}
    if {hit}:
        {result} += {new}
        {remaining} -= 1
    else:
        {result} += {character}
if {result} == {text}:
    {result} = {text}
"""


class Replace(StringMethod):
    """Every occurrence of a character (or the first so many) replaced by a text."""

    name = "replace"
    summary = "replace of one character into a loop that builds the new text"
    method = "replace"
    order = 25
    arguments = (2, 3)
    result = "str"
    exact: ClassVar[dict[int, str]] = {1: "str", 2: "int"}
    EXAMPLES: ClassVar[tuple[Example, ...]] = ()
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = ()

    def spell(
        self, result: str, receiver: cst.BaseExpression, arguments: Sequence[cst.BaseExpression], steps: Steps
    ) -> None:
        names: dict[str, Atom] = {"result": result, "text": receiver, "target": arguments[0], "new": arguments[1]}
        if len(arguments) == 2:
            steps.emit_text(_ALL, **names, character=steps.fresh("char"))
            return
        steps.emit_text(
            _SOME,
            **names,
            count=arguments[2],
            character=steps.fresh("char"),
            remaining=steps.fresh("int"),
            hit=steps.fresh("bool"),
        )
