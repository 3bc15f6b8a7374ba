"""Names in the text of a finished rewrite: a function's own nodes, the names that may be changed, and changing them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from rewrite.analysis.legality import Locals

AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef
Renames = dict[tuple[int, int], tuple[str, str]]
"""Mentions to be changed: for line and column (in bytes), the old name and the new one."""
TEMPORARY = re.compile(r"\b_t\d+\b")
NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.GeneratorExp)


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes below one, without what is in nested functions, classes and generators."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, NESTED):
            yield from own_nodes(child)


def functions_with_locals(tree: ast.Module, variables: Sequence[Locals]) -> Iterator[tuple[AnyFunction, Locals]]:
    """Each function of a module with its variables, given those of all in the order of the text."""
    found = sorted((node for node in ast.walk(tree) if isinstance(node, AnyFunction)), key=lambda node: node.lineno)
    yield from zip(found, variables, strict=False)


def apply_renames(text: str, names: Renames) -> str:
    """The text with names changed."""
    lines = [line.encode() for line in text.split("\n")]
    for (line, column), (old, new) in sorted(names.items(), reverse=True):
        before = lines[line - 1]
        assert before[column : column + len(old)] == old.encode()
        lines[line - 1] = before[:column] + new.encode() + before[column + len(old) :]
    return b"\n".join(lines).decode()
