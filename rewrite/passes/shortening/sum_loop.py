"""Loops that add integers or concatenate strings, as builtins: `total += sum(range(a, b))`, `s += ''.join(parts)`.

For exact integers only: `sum` adds floats differently from a loop (from Python 3.12 on), and for one type of items. So
the source proves, or the calls show, that the variable and the items are integers (strings for the join). The added
expression does not mention the variable, and nothing observes intermediate values. The variable itself is no bool,
since a loop without rounds would leave it a bool. The pass writes a list comprehension where items are computed, and
for a join of what is not proved to be iterable, whose error message would differ.
"""

from __future__ import annotations

import libcst as cst

from rewrite.analysis.exact_types import STRING_TYPES
from rewrite.passes.loop_intervention import LoopIntervention
from rewrite.passes.loops import ForLoop
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
            value = string_count(loop, item, types) or _sum(loop, item)
        elif operator == "+=" and types.has_type(item, STRING_TYPES) and loop.keeps_type(name, item, STRING_TYPES):
            items = _items(loop, item)
            value = f"''.join({items})" if items else None
        else:
            return None
        return f"{name} {operator} {value}" if value else None


def string_count(loop: ForLoop, test: cst.BaseExpression, types: TypeEvidence) -> str | None:
    """The call of `count` for the characters of a string that pass the test; None if there is none."""
    match test:
        case cst.Comparison(left, [cst.ComparisonTarget(cst.Equal(), right)]):
            variable, character = (left, right) if loop.is_variable(left) else (right, left)
            literal = isinstance(character, cst.SimpleString) and loop.kind(character) == "char"
            if literal and loop.is_variable(variable) and types.has_type(loop.node.iter, STRING_TYPES):
                return f"{loop.receiver}.count({loop.program.inline_code(character)})"
    return None


def _sum(loop: ForLoop, value: cst.BaseExpression) -> str | None:
    items = loop.iterable if loop.is_variable(value) else _items(loop, value)
    return f"sum({items})" if items and loop.is_builtin("sum") else None


def _items(loop: ForLoop, value: cst.BaseExpression) -> str | None:
    if mapped := loop.mapped(value):
        return mapped
    inner = loop.comprehension(value)
    return f"[{inner}]" if inner else None
