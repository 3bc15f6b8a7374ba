"""Arithmetic in one line: an operation whose result only the assignment on the next line uses is written there.

    _t0 = len(a)                  _t1 = len(a) - 1
    _t1 = _t0 - 1          ->

The first operation has at most one variable, so that it is easy, and nothing runs in between. The pass works on the
source of a finished rewrite.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from itertools import pairwise

from rewrite.analysis.legality import FunctionLocals, read_locals
from rewrite.anf.names import TEMPORARY
from rewrite.passes.cleanup.name_mentions import (
    AnyFunction,
    blocks_of,
    count_names,
    functions_with_locals,
    may_bind,
    stored_name,
)

MAX_OPERATIONS = 3
"""Operations of the longest expression that is written."""
_STEPS = (ast.Add, ast.Sub)
_OF_NUMBERS = (ast.Sub, ast.FloorDiv, ast.Div)


def fold_arithmetic(text: str) -> tuple[str, list[int]]:
    """The source with such temporaries written into the next one, and the numbers (from 0) of the lines that remain.

    >>> fold_arithmetic("def f(a):\\n    _t0 = len(a)\\n    _t1 = _t0 - 1\\n    return a[_t1]\\n")[0]
    'def f(a):\\n    _t1 = len(a) - 1\\n    return a[_t1]\\n'
    """
    lines, variables = list(range(text.count("\n") + 1)), read_locals(text)
    while found := next(_folded(text, variables), None):
        first, second = found
        rows = text.split("\n")
        rows[second.lineno - 1] = rows[second.lineno - 1][: second.col_offset] + ast.unparse(second)
        del rows[first.lineno - 1], lines[first.lineno - 1]
        text = "\n".join(rows)
    return text, lines


def _folded(text: str, variables: Sequence[FunctionLocals]) -> Iterator[tuple[ast.Assign, ast.Assign]]:
    """Pairs of assignments, the second with the value of the first in it."""
    tree, rows = ast.parse(text), text.split("\n")
    if may_bind(tree, "len"):
        return
    for function, own_variables in functions_with_locals(tree, variables):
        counts = count_names(function)
        numbers = _numbers(function)
        for first, second in _pairs(function):
            old = first.targets[0]
            assert isinstance(old, ast.Name)
            alone = not any(mark in rows[one.lineno - 1] for one in (first, second) for mark in ";#")
            names = {node.id for one in (first, second) for node in ast.walk(one) if isinstance(node, ast.Name)}
            names -= {"len"}
            in_order = _is_first(second.value, old.id) or all(map(own_variables.is_certainly_bound, names))
            handed_on = counts[old.id] == 2 and any(_is_read(node, old.id) for node in ast.walk(second))
            if not alone or not in_order or not names <= own_variables.renamable or not handed_on:
                continue
            if _is_of_variables(first.value):
                continue
            made = _Substitution(old.id, first.value).visit(deepcopy(second))
            if _is_plain(made.value) and (_is_number(first.value, numbers) or _is_number(made.value, numbers)):
                yield first, made


def _pairs(function: AnyFunction) -> Iterator[tuple[ast.Assign, ast.Assign]]:
    """Adjacent assignments of temporaries, each alone on one line."""
    for block in blocks_of(function):
        for first, second in pairwise(block):
            if _is_temporary(first) and _is_temporary(second) and first.lineno + 1 == second.lineno:
                yield first, second  # type: ignore[misc]


def _is_temporary(node: ast.stmt) -> bool:
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return bool(TEMPORARY.fullmatch(name)) and node.lineno == node.end_lineno
    return False


class _Substitution(ast.NodeTransformer):
    """Puts a value in the place of a variable."""

    def __init__(self, name: str, value: ast.expr) -> None:
        self._name, self._value = name, value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._value if node.id == self._name else node


def _is_read(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)


def _is_first(node: ast.expr, name: str) -> bool:
    """Whether an expression reads a variable before all others."""
    while isinstance(node, ast.BinOp):
        node = node.left
    return isinstance(node, ast.Name) and node.id == name


def _numbers(function: AnyFunction) -> frozenset[str]:
    """The temporaries that can only be numbers."""
    stores = Counter(map(stored_name, ast.walk(function)))
    found: frozenset[str] = frozenset()
    for block in blocks_of(function):
        for one in filter(_is_temporary, block):
            assert isinstance(one, ast.Assign)
            if _is_number(one.value, found):
                found |= {node.id for node in one.targets if isinstance(node, ast.Name) and stores[node.id] == 1}
    return found


def _is_plain(node: ast.expr) -> bool:
    """Whether an expression is arithmetic of few operations, which divides only names, constants, and sums of both."""
    operations = 0
    for one in ast.walk(node):
        match one:
            case ast.BinOp(left=left, op=ast.Div() | ast.FloorDiv() | ast.Mod(), right=right):
                if isinstance(right, ast.BinOp) or (isinstance(left, ast.BinOp) and not _is_step(left)):
                    return False
                operations += 1
            case ast.BinOp() | ast.UnaryOp(op=ast.USub()):
                operations += 1
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name()], keywords=[]):
                operations += 1
            case ast.Name() | ast.Constant(value=int()) | ast.operator() | ast.unaryop() | ast.expr_context():
                pass
            case _:
                return False
    return operations <= MAX_OPERATIONS


def _is_step(node: ast.BinOp) -> bool:
    """Whether an operation adds or subtracts a constant, as `n - 1` does."""
    return isinstance(node.left, ast.Name) and isinstance(node.right, ast.Constant) and isinstance(node.op, _STEPS)


def _is_of_variables(node: ast.expr) -> bool:
    """Whether an expression computes with several names (`len` is one), so that a model may get it wrong."""
    return isinstance(node, ast.BinOp) and len({one.id for one in ast.walk(node) if isinstance(one, ast.Name)}) > 1


def _is_number(node: ast.expr, numbers: frozenset[str]) -> bool:
    """Whether an expression is taken for a number, by its operations; another class is inlined in the same order."""
    match node:
        case ast.Constant(value=value):
            return isinstance(value, int)
        case ast.Call(func=ast.Name(id="len")) | ast.UnaryOp(op=ast.USub()):
            return True
        case ast.Name(id=name):
            return name in numbers
        case ast.BinOp(left=left, op=operator, right=right):
            parts = _is_number(left, numbers), _is_number(right, numbers)
            return isinstance(operator, _OF_NUMBERS) or (all if isinstance(operator, ast.Mult) else any)(parts)
    return False
