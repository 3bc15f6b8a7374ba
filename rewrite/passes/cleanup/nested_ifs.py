"""Nesting of tests: an `if` moves into the preceding one if that one's test, when false, decides it.

    _t0 = f(a)                 _t0 = f(a)
    if _t0:                    if _t0:
        _t0 = g(b)      ->         _t0 = g(b)
    if _t0:                        if _t0:
        …                              …

The pass works on the source of a finished rewrite, and on temporaries only.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rewrite.analysis.legality import FunctionLocals, read_locals
from rewrite.anf.names import TEMPORARY
from rewrite.passes.cleanup.name_mentions import NESTED, AnyFunction, functions_with_locals, own_nodes


class _IfMove(NamedTuple):
    """Lines (from 1) to delete, lines to indent, and the number of columns to indent them by."""

    dropped: range
    moved: range
    columns: int


def nest_ifs(text: str) -> tuple[str, list[int]]:
    """The source with tests nested, and the numbers (from 0) of the lines that remain.

    >>> before = "def f(a):\\n    _t0 = a()\\n    if _t0:\\n        _t0 = a.b\\n    if _t0:\\n        a()\\n"
    >>> print(nest_ifs(before)[0], end="")
    def f(a):
        _t0 = a()
        if _t0:
            _t0 = a.b
            if _t0:
                a()
    """
    lines, variables = list(range(text.count("\n") + 1)), read_locals(text)
    while move := next(_moves(ast.parse(text), text.split("\n"), variables), None):
        rows = text.split("\n")
        for row in move.moved:
            rows[row - 1] = " " * move.columns + rows[row - 1] if rows[row - 1].strip() else rows[row - 1]
        for row in reversed(move.dropped):
            del rows[row - 1]
            del lines[row - 1]
        text = "\n".join(rows)
    return text, lines


def _moves(tree: ast.Module, rows: Sequence[str], variables: Sequence[FunctionLocals]) -> Iterator[_IfMove]:
    for function, own_variables in functions_with_locals(tree, variables):
        for node in (function, *own_nodes(function)):
            for block in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
                if isinstance(block, list) and (node is function or not isinstance(node, NESTED)):
                    yield from _in_block(block, function, own_variables.renamable, rows)


def _in_block(
    block: list[ast.stmt], function: AnyFunction, free: frozenset[str], rows: Sequence[str]
) -> Iterator[_IfMove]:
    for first, second in itertools.pairwise(block):
        name = _tested(second)
        if name not in free or not isinstance(first, ast.If) or not _assigns_last(first.body, name):
            continue
        again = not first.orelse and isinstance(first.test, ast.Name) and first.test.id == name
        if again or (_is_false(first.orelse, name) and _last_mention(function, name) == second.lineno):
            move = _move(first, second, rows)
            if move is not None:
                yield move


def _tested(node: ast.stmt) -> str:
    """The temporary that an `if` without `else` tests; "" for other statements."""
    match node:
        case ast.If(test=ast.Name(id=name), orelse=[]) if TEMPORARY.fullmatch(name):
            return name
    return ""


def _assigns_last(body: Sequence[ast.stmt], name: str) -> bool:
    """Whether a block ends with an assignment to the name."""
    match body[-1]:
        case ast.Assign(targets=[ast.Name(id=found)]):
            return found == name
        case ast.If(test=ast.Name(id=found), body=inner, orelse=[]):
            return found == name and _assigns_last(inner, name)
    return False


def _is_false(block: Sequence[ast.stmt], name: str) -> bool:
    match block:
        case [ast.Assign(targets=[ast.Name(id=found)], value=ast.Constant(value=False))]:
            return found == name
    return False


def _last_mention(function: AnyFunction, name: str) -> int:
    return max(node.lineno for node in own_nodes(function) if isinstance(node, ast.Name) and node.id == name)


def _move(first: ast.If, second: ast.stmt, rows: Sequence[str]) -> _IfMove | None:
    """How the second `if` moves into the first; None if they share lines or a string spans several lines."""
    last = first.body[-1].end_lineno or 0
    end, moved = first.end_lineno or 0, range((first.end_lineno or 0) + 1, (second.end_lineno or 0) + 1)
    texts = (node for node in ast.walk(second) if isinstance(node, ast.Constant | ast.JoinedStr))
    if any(node.lineno != node.end_lineno for node in texts) or first.lineno == first.body[0].lineno:
        return None
    if any("#" in row for row in rows[last:end]) or second.lineno <= end:
        return None
    return _IfMove(range(last + 1, end + 1), moved, first.body[-1].col_offset - second.col_offset)
