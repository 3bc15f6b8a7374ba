"""Counting loops as builtins: `n += len(items)`, `n += s.count('x')`, `n += len([i for i in items if i > 2])`.

The counter is an exact int that grows by one for each item, or for each item that passes the test. The test does not
mention the counter. `len` is applied to builtin containers only.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from rewrite.passes.loop_intervention import LoopIntervention
from rewrite.passes.loops import SIZED, ForLoop
from rewrite.passes.shortening.sum_loop import string_count
from rewrite.passes.type_evidence import TypeEvidence


class CountLoop(LoopIntervention):
    """Loops of one `n += 1`, with or without an `if`.

    Example:
        >>> from rewrite import rewrite_source
        >>> source = (
        ...     "def f(n):\\n    even = 0\\n    for i in range(n):\\n        if i % 2 == 0:\\n"
        ...     "            even += 1\\n    return even\\n"
        ... )
        >>> print(rewrite_source(source, CountLoop).source, end="")
        def f(n):
            even = 0
            even += len([i for i in range(n) if i % 2 == 0])
            return even
    """

    name = "count_loop"
    summary = "the loop as a count"

    def statement(self, loop: ForLoop, types: TypeEvidence) -> str | None:
        tests, small = loop.guarded_statement
        if not isinstance(small, cst.AugAssign) or not isinstance(small.operator, cst.AddAssign):
            return None
        if not isinstance(small.target, cst.Name) or not _is_one(small.value):
            return None
        name = small.target.value
        if not loop.is_accumulator(name) or loop.kind(small.target) != "int":
            return None
        value = None if loop.mentions(name, loop.node.iter, *tests) else _count(loop, tests, types)
        return f"{name} += {value}" if value else None


def _is_one(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Integer) and node.value == "1"


def _count(loop: ForLoop, tests: Sequence[cst.BaseExpression], types: TypeEvidence) -> str | None:
    if tests and (found := string_count(loop, tests[0], types)):
        return found
    if not loop.is_builtin("len"):
        return None
    if not tests:
        return f"len({loop.iterable})" if types.has_type(loop.node.iter, SIZED) else None
    items = loop.comprehension(loop.node.target, tests)
    return f"len([{items}])" if items else None
