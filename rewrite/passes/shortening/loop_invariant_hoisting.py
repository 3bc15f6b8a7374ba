"""Loop-invariant hoisting: an assignment with the same value in every round moves before the loop.

    for x in items:                 limit = n * 2
        limit = n * 2               for x in items:
        if x < limit: …                 if x < limit: …

Only arithmetic on numbers and strings that cannot fail, on variables that the loop does not bind. The assigned variable
is bound nowhere else and mentioned in the loop only, so a loop without rounds makes no difference.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from rewrite.analysis.effects import CONSTANTS
from rewrite.analysis.exact_types import exact_type
from rewrite.passes.candidate import Edit, PassCandidate
from rewrite.passes.parsed_program import FunctionVariables, ParsedProgram
from rewrite.passes.patterns import only_small
from rewrite.passes.purity import KINDS

_SAFE = (cst.Add, cst.Subtract, cst.Multiply)
_NUMBERS = ("int", "bool")


def find(program: ParsedProgram) -> Iterator[PassCandidate]:
    """Assignments in the body of a loop that can move before it."""
    for spot in program.sites:
        node = spot.node
        if (
            not isinstance(node, (cst.For, cst.While))
            or program.is_kept(node)
            or not isinstance(node.body, cst.IndentedBlock)
        ):
            continue
        for line in node.body.body if len(node.body.body) > 1 else ():
            small = only_small(line)
            if isinstance(small, cst.Assign) and _is_invariant(program, small, node, spot.function):
                assert isinstance(line, cst.SimpleStatementLine)
                start = program.line_start(program.printed.line_of(node))
                text = f"{program.indent(node)}{program.source[slice(*program.offsets(small))]}{program.newline}"
                edits = [Edit(start, start, text, (program.printed.line_of(line),)), *program.deletion(line)]
                yield program.candidate(line, "hoist the assignment out of the loop", edits)


def _is_invariant(
    program: ParsedProgram, small: cst.Assign, loop: cst.For | cst.While, function: FunctionVariables
) -> bool:
    target = small.targets[0].target
    if len(small.targets) != 1 or not isinstance(target, cst.Name) or not function.owns(target.value):
        return False
    name, names = target.value, {*program.mentioned_names(small.value)} - CONSTANTS
    inside = {id(found.node) for found in program.mentions(loop)}
    alone = (
        all(id(found.node) in inside for found in function.references[name]) and len(function.scope.bindings[name]) == 1
    )
    if not alone or name in names or not function.is_certainly_bound(name) or function.scope.deleted & {name, *names}:
        return False
    steady = all(
        function.owns(one) and function.is_certainly_bound(one) and not function.is_bound_in(loop, one) for one in names
    )
    header = loop.iter if isinstance(loop, cst.For) else loop.test
    said = name in program.mentioned_names(header)
    return steady and not said and _cannot_fail(small.value, function)


def _cannot_fail(node: cst.BaseExpression, function: FunctionVariables) -> bool:
    """Whether an expression only adds, subtracts or multiplies numbers and strings, or takes the length of a string."""
    found = exact_type(node, function.scope)
    if found not in KINDS:
        return False
    if isinstance(node, cst.BinaryOperation):
        sides = [exact_type(side, function.scope) for side in (node.left, node.right)]
        added = isinstance(node.operator, cst.Add) or all(side in _NUMBERS for side in sides)
        return (
            isinstance(node.operator, _SAFE)
            and added
            and all(_cannot_fail(side, function) for side in (node.left, node.right))
        )
    if isinstance(node, cst.Call):
        sized = isinstance(node.func, cst.Name) and node.func.value == "len" and function.scope.is_builtin("len")
        text = len(node.args) == 1 and exact_type(node.args[0].value, function.scope) in ("str", "char")
        return sized and text and isinstance(node.args[0].value, cst.Name)
    return isinstance(node, (cst.Name, cst.Integer, cst.SimpleString))
