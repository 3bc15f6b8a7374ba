"""Loops that add integers or concatenate strings, as builtins: `total += sum(range(a, b))`, `s += ''.join(parts)`.

For exact integers only: `sum` adds floats differently from a loop (from Python 3.12 on), and for one type of items. So
the source proves, or the calls show, that the variable and the items are integers (strings for the join). The added
expression does not mention the variable, and nothing observes intermediate values. The variable itself is no bool,
since a loop without rounds would leave it a bool. The pass writes a list comprehension where items are computed, and
for a join of what is not proved to be iterable, whose error message would differ.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from rewrite.passes.candidate import PassCandidate
from rewrite.passes.loops import SIZED, TEXTS, ForLoop, comparison_sides, plain_loops
from rewrite.passes.parsed_program import ParsedProgram
from rewrite.passes.type_evidence import TypeEvidence

NUMBERS = ("int", "bool")


def find(program: ParsedProgram) -> Iterator[PassCandidate]:
    """Loops of one `total += item`.

    Example:
        >>> from rewrite.passes import apply_candidate, find_candidates
        >>> source = (
        ...     "def f(a, b):\\n    total = 0\\n    for i in range(a, b):\\n        total += i\\n"
        ...     "    return total\\n"
        ... )
        >>> [candidate] = find_candidates(source, only=["sum_loop"])
        >>> print(apply_candidate(source, candidate).source, end="")
        def f(a, b):
            total = 0
            total += sum(range(a, b))
            return total
    """
    for loop in plain_loops(program):
        small = loop.only_statement
        if isinstance(small, cst.AugAssign) and isinstance(small.target, cst.Name):
            yield from _summed(loop, small, small.target.value)


def _summed(loop: ForLoop, small: cst.AugAssign, name: str) -> Iterator[PassCandidate]:
    types = loop.type_evidence()
    if not loop.is_accumulator(name) or loop.mentions(name, loop.node.iter, small.value):
        return
    operator = {cst.AddAssign: "+=", cst.SubtractAssign: "-="}.get(type(small.operator))
    if operator and types.has_type(small.value, NUMBERS) and loop.keeps_type(name, small.value, ("int",), NUMBERS):
        made = _counted(loop, small.value, types) or _builtin(loop, small.value, "sum", "sum({})")
    elif operator == "+=" and types.has_type(small.value, TEXTS) and loop.keeps_type(name, small.value, TEXTS):
        made = _builtin(loop, small.value, "join", "''.join({})")
    else:
        return
    if made:
        builtin, value = made
        edit = loop.program.replacement(loop.node, loop.node, f"{name} {operator} {value}")
        yield loop.program.candidate(loop.node, f"the loop as {builtin}", [edit], types.assumptions())


def _counted(loop: ForLoop, value: cst.BaseExpression, types: TypeEvidence) -> tuple[str, str] | None:
    """`s.count('x')` for `c == 'x'` on the characters of a string."""
    found = string_count(loop, value, types)
    return ("a call of str.count", found) if found else None


def string_count(loop: ForLoop, test: cst.BaseExpression, types: TypeEvidence) -> str | None:
    """The call of `count` for the characters of a string that pass the test; None if there is none."""
    one, other = comparison_sides(test, cst.Equal)
    character = other if loop.is_variable(one) else one
    literal = isinstance(character, cst.SimpleString) and loop.kind(character) == "char"
    if not literal or not loop.is_any_variable(one, other) or not types.has_type(loop.node.iter, TEXTS):
        return None
    return f"{loop.receiver}.count({loop.program.inline_code(character)})"


def _builtin(loop: ForLoop, value: cst.BaseExpression, name: str, form: str) -> tuple[str, str] | None:
    if name == "sum" and not loop.is_builtin("sum"):
        return None
    if loop.is_variable(value) and (name == "sum" or loop.kind(loop.node.iter) in SIZED):
        return f"a call of {name}", form.format(loop.iterable)
    mapped = loop.mapped_function(value)
    if mapped:
        return f"a call of {name}", form.format(f"map({mapped}, {loop.iterable})")
    if not loop.can_enclose(value):
        return None
    text = loop.program.inline_code(value)
    return f"a call of {name} on a list", form.format(f"[{text} for {loop.variable} in {loop.iterable}]")
