"""Strength reduction: a loop that handles the multiples of a number only steps from multiple to multiple.

    for i in range(n):                          for i in range(0, n, 11):
        if i % 11 == 0:                             r.append(i)
            r.append(i)

The numbers and their order stay the same. For several numbers (`i % 11 == 0 or i % 13 == 0`) the ranges are merged and
sorted, unless something ends the loop early: `r = range(n)`, then `sorted({*r[::11], *r[::13]})`. The variable is read
nowhere else, since it ends with another value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from rewrite.passes.candidate import Edit, PassCandidate
from rewrite.passes.loops import ForLoop, for_loops
from rewrite.passes.parsed_program import ParsedProgram
from rewrite.passes.syntax_patterns import plain_range_arguments
from rewrite.syntax.tree import walk

_WAYS_OUT = (cst.Break, cst.Return, cst.Raise, cst.Yield, cst.Await)
MAX_CONDITIONS = 4
"""Number of conditions that are merged at most."""


def find(program: ParsedProgram) -> Iterator[PassCandidate]:
    """Loops over a range whose body is one `if i % k == 0`."""
    for loop in for_loops(program):
        only = loop.only_statement
        if not isinstance(only, cst.If) or only.orelse is not None or not isinstance(only.body, cst.IndentedBlock):
            continue
        if not isinstance(loop.node.body, cst.IndentedBlock):
            continue
        steps = _steps(loop, only.test)
        limits = _limits(loop) if steps else None
        if limits is None:
            continue
        first, last = limits
        made = [(-(-first // step) * step, step) for step in steps]
        before = ""
        text = f"range({made[0][0]}, {program.inline_code(last)}, {made[0][1]})"
        if len(made) > 1:
            if any(isinstance(node, _WAYS_OUT) for node in walk(only.body)) or not loop.is_builtin("sorted"):
                continue
            name = program.fresh_letter(loop.function, "r")
            before = f"{name} = {program.inline_code(loop.node.iter)}{program.newline}{program.indent(loop.node)}"
            parts = ", ".join(f"*{name}[{begin - first or ''}::{step}]" for begin, step in made)
            text = f"sorted({{{parts}}})"
        start = program.offsets(loop.node)[0]
        edits = [
            *([Edit(start, start, before)] if before else []),
            Edit(*program.offsets(loop.node.iter), text),
            *_out_of_the_if(program, only),
        ]
        yield program.candidate(loop.node, "step through the multiples only", edits)


def _steps(loop: ForLoop, test: cst.BaseExpression) -> Sequence[int]:
    """The numbers whose multiples pass the test; none for any other test."""
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.Or):
        left, right = _steps(loop, test.left), _steps(loop, test.right)
        return [*left, *right] if left and right and len(left) + len(right) <= MAX_CONDITIONS else []
    match test:
        case cst.Comparison(
            cst.BinaryOperation(left=number, operator=cst.Modulo(), right=cst.Integer() as step),
            [cst.ComparisonTarget(cst.Equal(), cst.Integer() as rest)],
        ) if loop.is_variable(number) and step.evaluated_value > 1 and rest.evaluated_value == 0:
            return [step.evaluated_value]
    return []


def _limits(loop: ForLoop) -> tuple[int, cst.BaseExpression] | None:
    """The literal start of a loop's range, and its stop."""
    match plain_range_arguments(loop.node.iter, loop.function.scope):
        case [stop]:
            return 0, stop
        case [cst.Integer() as start, stop]:
            return start.evaluated_value, stop
    return None


def _out_of_the_if(program: ParsedProgram, node: cst.If) -> list[Edit]:
    """The edits that replace an `if` by its block."""
    start = program.offsets(node)[0]
    outer, inner = program.indent(node), program.indent(node.body.body[0])  # type: ignore[arg-type]
    begin, end = start - len(outer), program.offsets(node)[1]
    body = program.line_start(program.printed.line_of(node.body.body[0]) - len(node.body.body[0].leading_lines))  # type: ignore[union-attr]
    text = program.source[body:end]
    if "\n" in text and ('"""' in text or "'''" in text or "\\\n" in text):
        return []
    lines = [line.replace(inner, outer, 1) if line.startswith(inner) else line for line in text.split("\n")]
    first = program.line_at(body)
    said = program.comments_between(begin, body, outer)
    before = [first - 1] * said.count("\n")
    text = f"{outer if said else ''}{said}".removesuffix(outer) + "\n".join(lines)
    return [Edit(begin, end, text, (*before, *range(first, first + len(lines))))]
