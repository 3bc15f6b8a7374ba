"""Loops that add integers or concatenate strings, as builtins: `total += sum(range(a, b))`, `s += ''.join(parts)`.

For exact integers only: `sum` adds floats differently from a loop (from Python 3.12 on), and for one type of items. So
the source proves, or the calls show, that the variable and the items are integers (strings for the join). The added
expression does not mention the variable, and nothing observes intermediate values. The variable itself is no bool,
since a loop without rounds would leave it a bool. The pass writes a list comprehension where items are computed, and
for a join of what is not proved to be iterable, whose error message would differ.
"""

from __future__ import annotations

import libcst as cst

from rewrite.passes.loop_intervention import LoopIntervention
from rewrite.passes.loops import SIZED, TEXTS, ForLoop, comparison_sides
from rewrite.passes.type_evidence import TypeEvidence

NUMBERS = ("int", "bool")


class SumLoop(LoopIntervention):
    """Loops of one `total += item`.

    Example:
        >>> from rewrite import rewrite_source
        >>> source = (
        ...     "def f(a, b):\\n    total = 0\\n    for i in range(a, b):\\n        total += i\\n"
        ...     "    return total\\n"
        ... )
        >>> print(rewrite_source(source, SumLoop).source, end="")
        def f(a, b):
            total = 0
            total += sum(range(a, b))
            return total
    """

    name = "sum_loop"
    summary = "the loop as a sum, a count or a join"

    def statement(self, loop: ForLoop, types: TypeEvidence) -> str | None:
        small = loop.only_statement
        if not isinstance(small, cst.AugAssign) or not isinstance(small.target, cst.Name):
            return None
        name, item = small.target.value, small.value
        if not loop.is_accumulator(name) or loop.mentions(name, loop.node.iter, item):
            return None
        operator = {cst.AddAssign: "+=", cst.SubtractAssign: "-="}.get(type(small.operator))
        if operator and types.has_type(item, NUMBERS) and loop.keeps_type(name, item, ("int",), NUMBERS):
            value = string_count(loop, item, types) or _builtin(loop, item, "sum", "sum({})")
        elif operator == "+=" and types.has_type(item, TEXTS) and loop.keeps_type(name, item, TEXTS):
            value = _builtin(loop, item, "join", "''.join({})")
        else:
            return None
        return f"{name} {operator} {value}" if value else None


def string_count(loop: ForLoop, test: cst.BaseExpression, types: TypeEvidence) -> str | None:
    """The call of `count` for the characters of a string that pass the test; None if there is none."""
    one, other = comparison_sides(test, cst.Equal)
    character = other if loop.is_variable(one) else one
    literal = isinstance(character, cst.SimpleString) and loop.kind(character) == "char"
    if not literal or not loop.is_any_variable(one, other) or not types.has_type(loop.node.iter, TEXTS):
        return None
    return f"{loop.receiver}.count({loop.program.inline_code(character)})"


def _builtin(loop: ForLoop, value: cst.BaseExpression, name: str, form: str) -> str | None:
    if name == "sum" and not loop.is_builtin("sum"):
        return None
    if loop.is_variable(value) and (name == "sum" or loop.kind(loop.node.iter) in SIZED):
        return form.format(loop.iterable)
    mapped = loop.mapped_function(value)
    if mapped:
        return form.format(f"map({mapped}, {loop.iterable})")
    if not loop.can_enclose(value):
        return None
    return form.format(f"[{loop.program.inline_code(value)} for {loop.variable} in {loop.iterable}]")
