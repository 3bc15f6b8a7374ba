"""Counting loops as builtins: `n += len(items)`, `n += s.count('x')`, `n += len([i for i in items if i > 2])`.

The counter is an exact int that grows by one for each item, or for each item that passes the test. The test does not
mention the counter. `len` is applied to builtin containers only.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from rewrite.passes.candidate import PassCandidate
from rewrite.passes.loops import SIZED, ForLoop, guarded_statement, plain_loops
from rewrite.passes.parsed_program import ParsedProgram
from rewrite.passes.shortening.sum_loop import string_count
from rewrite.passes.type_evidence import TypeEvidence


def find(program: ParsedProgram) -> Iterator[PassCandidate]:
    """Loops of one `n += 1`, with or without an `if`.

    Example:
        >>> from rewrite.passes import apply_candidate, find_candidates
        >>> source = (
        ...     "def f(n):\\n    even = 0\\n    for i in range(n):\\n        if i % 2 == 0:\\n"
        ...     "            even += 1\\n    return even\\n"
        ... )
        >>> [candidate] = find_candidates(source, only=["count_loop"])
        >>> print(apply_candidate(source, candidate).source, end="")
        def f(n):
            even = 0
            even += len([i for i in range(n) if i % 2 == 0])
            return even
    """
    for loop in plain_loops(program):
        tested = guarded_statement(loop.only_statement)
        small = tested[1] if tested else loop.only_statement
        if not isinstance(small, cst.AugAssign) or not isinstance(small.operator, cst.AddAssign):
            continue
        if (
            not isinstance(small.target, cst.Name)
            or not _is_one(small.value)
            or not loop.is_accumulator(small.target.value)
        ):
            continue
        name, test = small.target.value, tested[0] if tested else None
        if loop.kind(small.target) != "int" or loop.mentions(name, loop.node.iter, *([test] if test else [])):
            continue
        types = loop.type_evidence()
        value = _count(loop, test, types)
        if value:
            edit = program.replacement(loop.node, loop.node, f"{name} += {value}")
            yield program.candidate(loop.node, "the loop as a count", [edit], types.assumptions())


def _is_one(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Integer) and node.value == "1"


def _count(loop: ForLoop, test: cst.BaseExpression | None, types: TypeEvidence) -> str | None:
    if test is None:
        sized = loop.is_builtin("len") and types.has_type(loop.node.iter, SIZED)
        return f"len({loop.iterable})" if sized else None
    found = string_count(loop, test, types)
    if found or not loop.can_enclose(test) or not loop.is_builtin("len"):
        return found
    return f"len([{loop.variable} for {loop.variable} in {loop.iterable} if {loop.program.inline_code(test)}])"
