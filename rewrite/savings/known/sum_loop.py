"""A loop that adds up integers or joins texts, as the builtin: `total += sum(range(a, b))`, `s += ''.join(parts)`.

The same for exact integers only: `sum` adds floats otherwise than a loop does (from Python 3.12 on), and needs the
items of one type. So the variable and what is added are proven, or seen, to be integers (strings, for the join); what
is added mentions the variable nowhere, and no one sees it half-way. The variable itself is no bool: a loop of no rounds
would leave it one. A list is made where each item has to be worked out, and for a join of what is not proven to be
iterable: its error is another one.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from rewrite.savings.grounds import Grounds
from rewrite.savings.loops import SIZED, TEXTS, Loop, compared, plain_loops
from rewrite.savings.program import Program
from rewrite.savings.saving import Saving

NUMBERS = ("int", "bool")


def find(program: Program) -> Iterator[Saving]:
    """The loops of one `total += item`."""
    for loop in plain_loops(program):
        small = loop.only
        if isinstance(small, cst.AugAssign) and isinstance(small.target, cst.Name):
            yield from _summed(loop, small, small.target.value)


def _summed(loop: Loop, small: cst.AugAssign, name: str) -> Iterator[Saving]:
    grounds = loop.grounds()
    if not loop.gathers(name) or loop.mentions(name, loop.node.iter, small.value):
        return
    operator = {cst.AddAssign: "+=", cst.SubtractAssign: "-="}.get(type(small.operator))
    if operator and grounds.is_one_of(small.value, NUMBERS) and loop.keeps(name, small.value, ("int",), NUMBERS):
        made = _counted(loop, small.value, grounds) or _builtin(loop, small.value, "sum", "sum({})")
    elif operator == "+=" and grounds.is_one_of(small.value, TEXTS) and loop.keeps(name, small.value, TEXTS):
        made = _builtin(loop, small.value, "join", "''.join({})")
    else:
        return
    if made:
        builtin, value = made
        edit = loop.program.replaced(loop.node, loop.node, f"{name} {operator} {value}")
        yield loop.program.saving("sum_loop", loop.node, f"the loop as {builtin}", [edit], grounds.assumes())


def _counted(loop: Loop, value: cst.BaseExpression, grounds: Grounds) -> tuple[str, str] | None:
    """`s.count(c)` for `c == 'x'` on the characters of a text."""
    found = text_count(loop, value, grounds)
    return ("a call of str.count", found) if found else None


def text_count(loop: Loop, test: cst.BaseExpression, grounds: Grounds) -> str | None:
    """The call of `count` that counts for how many characters of a text the test holds."""
    one, other = compared(test, cst.Equal)
    character = other if loop.is_variable(one) else one
    literal = isinstance(character, cst.SimpleString) and loop.kind(character) == "char"
    if not literal or not loop.touches(one, other) or not grounds.is_one_of(loop.node.iter, TEXTS):
        return None
    return f"{loop.receiver}.count({loop.program.text(character)})"


def _builtin(loop: Loop, value: cst.BaseExpression, name: str, form: str) -> tuple[str, str] | None:
    if name == "sum" and not loop.is_builtin("sum"):
        return None
    if loop.is_variable(value) and (name == "sum" or loop.kind(loop.node.iter) in SIZED):
        return f"a call of {name}", form.format(loop.items)
    mapped = loop.applied(value)
    if mapped:
        return f"a call of {name}", form.format(f"map({mapped}, {loop.items})")
    if not loop.may_enclose(value):
        return None
    text = loop.program.text(value)
    return f"a call of {name} on a list", form.format(f"[{text} for {loop.variable} in {loop.items}]")
