"""Tuples and lists in place: a display of variables and constants is written into the only statement that uses it.

    _t0 = (a, 1)
    b.append(_t0)          ->     b.append((a, 1))

A state shows the parts before, and the result of the statement shows the whole. So does an item at a constant index,
such as `a[0]`, that the next test compares. The pass works on the source of a finished rewrite.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rewrite.analysis.legality import FunctionLocals, read_locals
from rewrite.anf.names import TEMPORARY
from rewrite.passes.cleanup.name_mentions import (
    Renames,
    apply_renames,
    blocks_of,
    count_names,
    functions_with_locals,
    own_nodes,
)

_SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return)


def fold_displays(text: str) -> tuple[str, list[int]]:
    """The source with such values where they are used, and the numbers (from 0) of the lines that remain.

    >>> fold_displays("def f(a):\\n    _t0 = (a, 1)\\n    return len(_t0)\\n")[0]
    'def f(a):\\n    return len((a, 1))\\n'
    """
    lines, variables = list(range(text.count("\n") + 1)), read_locals(text)
    while found := next(_folded(text, variables), None):
        renames, line = found
        rows = apply_renames(text, renames).split("\n")
        del rows[line - 1], lines[line - 1]
        text = "\n".join(rows)
    return text, lines


def _folded(text: str, variables: Sequence[FunctionLocals]) -> Iterator[tuple[Renames, int]]:
    """The replacement of a use, and the line of the value."""
    rows = text.split("\n")
    for function, own_variables in functions_with_locals(ast.parse(text), variables):
        counts = count_names(function)
        for first, second in (pair for block in blocks_of(function) for pair in pairwise(block)):
            name, value = _temporary(first)
            row = rows[first.lineno - 1]
            alone = first.lineno == first.end_lineno == second.lineno - 1 and not any(mark in row for mark in ";#")
            if value is None or counts[name] != 2 or name not in own_variables.renamable or not alone:
                continue
            use = _compared(second, name) if isinstance(value, ast.Subscript) else _only_use(second, name)
            parts = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
            fixed = parts <= own_variables.renamable and all(map(own_variables.is_certainly_bound, parts))
            source = ast.get_source_segment(text, value) or ""
            if use is not None and fixed and (isinstance(value, ast.Subscript) or source[:1] in "(["):
                yield {(use.lineno, use.col_offset): (name, source)}, first.lineno


def _temporary(node: ast.stmt) -> tuple[str, ast.expr | None]:
    """The temporary that gets a display or an item of a variable, and the value; None for any other statement."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if TEMPORARY.fullmatch(name):
            match value:
                case ast.Tuple(elts=parts) | ast.List(elts=parts) if parts:
                    return name, value if all(isinstance(one, ast.Name | ast.Constant) for one in parts) else None
                case ast.Subscript(value=ast.Name(), slice=ast.Constant(value=int())):
                    return name, value
    return "", None


def _only_use(statement: ast.stmt, name: str) -> ast.Name | None:
    """The only place where a simple statement reads a variable."""
    uses = [node for node in own_nodes(statement) if isinstance(node, ast.Name) and node.id == name]
    return uses[0] if len(uses) == 1 and isinstance(statement, _SIMPLE) else None


def _compared(statement: ast.stmt, name: str) -> ast.Name | None:
    """The variable, if an `if` compares it first."""
    match statement:
        case ast.If(test=ast.Compare(left=ast.Name(id=found) as use)) if found == name:
            return use
    return None
