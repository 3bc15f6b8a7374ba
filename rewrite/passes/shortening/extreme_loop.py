"""Loops that find a maximum or minimum as builtins: `best = max([best, *items])`.

`max` of a list compares its items in order, with the same operator, and keeps the first of equal items. So do
`best = max(best, item)` and `if item > best: best = item`. Only for numbers and strings in builtin containers, since
other objects could observe when they are fetched and compared.
"""

from __future__ import annotations

import libcst as cst

from rewrite.passes.loop_intervention import LoopIntervention
from rewrite.passes.loops import SIZED, TEXTS, ForLoop, comparison_sides, guarded_statement
from rewrite.passes.patterns import plain_arguments, plain_assignment
from rewrite.passes.type_evidence import TypeEvidence

_COMPARED = (frozenset({"int", "bool", "float"}), frozenset(TEXTS))  # with each other
_SIGNS: dict[str, type[cst.BaseCompOp]] = {"max": cst.GreaterThan, "min": cst.LessThan}
_MIRRORED: dict[str, type[cst.BaseCompOp]] = {"max": cst.LessThan, "min": cst.GreaterThan}


class ExtremeLoop(LoopIntervention):
    """Loops of one `best = max(best, item)`, or of `if item > best: best = item`.

    Example:
        >>> from rewrite import rewrite_source
        >>> source = (
        ...     "def f(n):\\n    best = 0\\n    for i in range(n):\\n        if i > best:\\n"
        ...     "            best = i\\n    return best\\n"
        ... )
        >>> print(rewrite_source(source, ExtremeLoop).source, end="")
        def f(n):
            best = 0
            best = max([best, *range(n)])
            return best
    """

    name = "extreme_loop"
    summary = "the loop as a call of max or min"

    def statement(self, loop: ForLoop, types: TypeEvidence) -> str | None:
        tested = guarded_statement(loop.only_statement)
        assigned = plain_assignment(tested[1] if tested else loop.only_statement)
        if assigned is None or not loop.is_accumulator(assigned[0]):
            return None
        best, value = assigned
        found = _from_if(loop, tested[0], value, best) if tested else _from_call(loop, value, best)
        if found is None or loop.mentions(best, loop.node.iter):
            return None
        builtin, item = found
        kinds = next((kinds for kinds in _COMPARED if loop.keeps_type(best, value, kinds)), ())
        if not types.has_type(item, kinds) or not types.has_type(loop.node.iter, SIZED):
            return None
        return f"{best} = {builtin}([{best}, *{_spread(loop)}])"


def _spread(loop: ForLoop) -> str:
    weak = isinstance(loop.node.iter, (cst.Comparison, cst.UnaryOperation, cst.BooleanOperation))
    return f"({loop.iterable})" if weak and not loop.node.iter.lpar else loop.iterable


Extreme = tuple[str, cst.BaseExpression]  # the builtin, and the item that it compares


def _from_call(loop: ForLoop, value: cst.BaseExpression, best: str) -> Extreme | None:
    """The builtin and the item of `max(best, item)`."""
    if not isinstance(value, cst.Call) or not isinstance(value.func, cst.Name) or value.func.value not in _SIGNS:
        return None
    values = plain_arguments(value)
    if values is None or len(values) != 2:
        return None
    first, second = values
    known = _is(first, best) and loop.is_variable(second) and loop.is_builtin(value.func.value)
    return (value.func.value, second) if known else None


def _from_if(loop: ForLoop, test: cst.BaseExpression, value: cst.BaseExpression, best: str) -> Extreme | None:
    """The builtin and the item of `item > best` and of `best < item`."""
    for builtin, sign in _SIGNS.items() if loop.is_variable(value) else ():
        item, other = comparison_sides(test, sign)
        if not loop.is_variable(item):
            other, item = comparison_sides(test, _MIRRORED[builtin])
        if loop.is_variable(item) and _is(other, best) and loop.is_builtin(builtin):
            return builtin, item
    return None


def _is(node: cst.BaseExpression, name: str) -> bool:
    return isinstance(node, cst.Name) and node.value == name
