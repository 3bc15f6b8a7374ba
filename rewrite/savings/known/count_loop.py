"""A loop that counts, as the builtin: `n += len(items)`, `n += s.count('x')`, `n += len([i for i in items if i > 2])`.

The same for an exact integer: it grows by one for each item, or for each that passes the test. The test is evaluated
for the same items in the same order and mentions the counter nowhere; `len` of the items is asked only of builtin
containers.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from rewrite.savings.grounds import Grounds
from rewrite.savings.known.sum_loop import text_count
from rewrite.savings.loops import SIZED, Loop, condition, plain_loops
from rewrite.savings.program import Program
from rewrite.savings.saving import Saving


def find(program: Program) -> Iterator[Saving]:
    """The loops of one `n += 1`, under an `if` or not."""
    for loop in plain_loops(program):
        tested = condition(loop.only)
        small = tested[1] if tested else loop.only
        if not isinstance(small, cst.AugAssign) or not isinstance(small.operator, cst.AddAssign):
            continue
        if not isinstance(small.target, cst.Name) or not _is_one(small.value) or not loop.gathers(small.target.value):
            continue
        name, test = small.target.value, tested[0] if tested else None
        if loop.kind(small.target) != "int" or loop.mentions(name, loop.node.iter, *([test] if test else [])):
            continue
        grounds = loop.grounds()
        value = _count(loop, test, grounds)
        if value:
            edit = program.replaced(loop.node, loop.node, f"{name} += {value}")
            yield program.saving("count_loop", loop.node, "the loop as a count", [edit], grounds.assumes())


def _is_one(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Integer) and node.value == "1"


def _count(loop: Loop, test: cst.BaseExpression | None, grounds: Grounds) -> str | None:
    if test is None:
        sized = loop.is_builtin("len") and grounds.is_one_of(loop.node.iter, SIZED)
        return f"len({loop.items})" if sized else None
    found = text_count(loop, test, grounds)
    if found or not loop.may_enclose(test) or not loop.is_builtin("len"):
        return found
    return f"len([{loop.variable} for {loop.variable} in {loop.items} if {loop.program.text(test)}])"
