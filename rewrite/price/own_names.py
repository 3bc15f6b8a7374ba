"""Whose a name is, in the text of a finished rewrite: a function's own nodes, and what the scopes inside it capture."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

Function = ast.FunctionDef | ast.AsyncFunctionDef
Names = dict[tuple[int, int], tuple[str, str]]
"""Mentions to be changed: for line and column (in bytes), the old name and the new one."""
TEMPORARY = re.compile(r"\b_t\d+\b")
NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.GeneratorExp)


def own(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes below one, without what is in nested functions, classes and generators."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, NESTED):
            yield from own(child)


def captured(scope: ast.AST) -> set[str]:
    """The names that a nested scope reads and does not bind, and those that it is called by or declares."""
    read: set[str] = set()
    bound = {inner.arg for inner in ast.iter_child_nodes(_parameters(scope)) if isinstance(inner, ast.arg)}
    for node in own(scope):
        if isinstance(node, NESTED):
            read |= captured(node)
        elif isinstance(node, ast.Name):
            (bound if isinstance(node.ctx, ast.Store) else read).add(node.id)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            read |= {*node.names}
    named = {scope.name} if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else set()
    outside = bound if not isinstance(scope, ast.ClassDef | ast.GeneratorExp) else set()
    return (read - outside) | named


def _parameters(scope: ast.AST) -> ast.AST:
    return scope.args if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) else ast.Pass()


def renamed(text: str, names: Names) -> str:
    """The text with names changed."""
    lines = [line.encode() for line in text.split("\n")]
    for (line, column), (old, new) in sorted(names.items(), reverse=True):
        before = lines[line - 1]
        assert before[column : column + len(old)] == old.encode()
        lines[line - 1] = before[:column] + new.encode() + before[column + len(old) :]
    return b"\n".join(lines).decode()
