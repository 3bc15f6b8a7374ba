"""`str.count` of one character: a loop over the characters that shows each comparison."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import libcst as cst

from rewrite.intervention import Example, Untouched
from rewrite.steps import Steps
from rewrite.strings import StringMethod

_WHOLE = """\
{result} = 0
for {character} in {text}:
    if {character} == {target}:
        {result} += 1
"""
_PART = """\
{length} = len({text})
{window} = slice({start}, {end})
{bounds} = {window}.indices({length})
{result} = 0
for {index} in range(*{bounds}):
    {character} = {text}[{index}]
    if {character} == {target}:
        {result} += 1
"""


class Count(StringMethod):
    """The number of times a character occurs, between bounds if there are any."""

    name = "count"
    summary = "count of one character into a loop over the characters"
    method = "count"
    order = 24
    needed = frozenset({"len", "range", "slice"})
    EXAMPLES: ClassVar[tuple[Example, ...]] = ()
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = ()

    def spell(
        self, result: str, receiver: cst.BaseExpression, arguments: Sequence[cst.BaseExpression], steps: Steps
    ) -> None:
        character = steps.fresh("char")
        if len(arguments) == 1:
            steps.emit_text(_WHOLE, result=result, text=receiver, character=character, target=arguments[0])
            return
        steps.emit_text(
            _PART,
            result=result,
            text=receiver,
            character=character,
            target=arguments[0],
            index=steps.fresh("int"),
            length=steps.fresh("int"),
            window=steps.fresh(),
            bounds=steps.fresh("tuple"),
            start=arguments[1],
            end=arguments[2] if len(arguments) == 3 else "None",
        )
