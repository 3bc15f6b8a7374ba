"""A loop that asks for the first item that passes a test, as the builtin that does: `return any(map(str.isdigit, s))`.

    for c in s:
        if c.isdigit():
            return True
    return False

`any` and `all` stop at the same item. Only where the test is a builtin's own, which has no frames: a generator would
cost more than the loop. `return 'x' in s` stands for `c == 'x'`.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from rewrite.savings.grounds import Grounds
from rewrite.savings.loops import TEXTS, Loop, compared, condition, plain_loops
from rewrite.savings.program import Program
from rewrite.savings.saving import Saving


def find(program: Program) -> Iterator[Saving]:
    """The loops of one `if test: return True` right before `return False`, or the other way round."""
    for loop in plain_loops(program):
        tested = condition(loop.only)
        following = loop.spot.block[loop.spot.index + 1 : loop.spot.index + 2]
        if tested is None or not following or program.kept(following[0]):
            continue
        found, otherwise = _returned(tested[1]), _returned(following[0])
        if (found, otherwise) not in (("True", "False"), ("False", "True")):
            continue
        grounds = loop.grounds()
        text = _text(loop, tested[0], found == "True", grounds)
        if text:
            edit = program.replaced(loop.node, following[0], f"return {text}")
            yield program.saving("any_loop", loop.node, "the loop as a search by a builtin", [edit], grounds.assumes())


def _returned(node: cst.CSTNode) -> str:
    small = node.body[0] if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1 else node
    value = small.value if isinstance(small, cst.Return) else None
    return value.value if isinstance(value, cst.Name) else ""


def _text(loop: Loop, test: cst.BaseExpression, positive: bool, grounds: Grounds) -> str | None:
    builtin = "any"
    if not positive and isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        builtin, test, positive = "all", test.expression, True
    mapped = loop.applied(test, grounds)
    if mapped and loop.is_builtin(builtin):
        return f"{'' if positive else 'not '}{builtin}(map({mapped}, {loop.items}))"
    one, other = compared(test, cst.Equal)
    sought = other if loop.is_variable(one) else one
    literal = isinstance(sought, cst.SimpleString) and loop.kind(sought) == "char"
    if builtin == "all" or not literal or not loop.touches(one, other):
        return None
    if not grounds.is_one_of(loop.node.iter, TEXTS):
        return None
    return f"{loop.program.text(sought)} {'in' if positive else 'not in'} {loop.receiver}"
