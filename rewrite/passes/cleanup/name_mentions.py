"""Temporaries in the source of a finished rewrite: where functions mention them, and renaming them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from rewrite.analysis.legality import FunctionLocals

AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef
Renames = dict[tuple[int, int], tuple[str, str]]
"""Mentions to rename: by line (from 1) and column (in bytes), the old name and the new one."""
NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.GeneratorExp)


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The descendants of a node, without those in nested functions, classes and generator expressions."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, NESTED):
            yield from own_nodes(child)


def evaluated_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """A node and its descendants, without the bodies of functions: a variable of another function may have the name."""
    yield node
    later: Sequence[ast.AST] = ()
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        later = [node.body] if isinstance(node, ast.Lambda) else node.body
    for child in ast.iter_child_nodes(node):
        if not any(child is one for one in later):
            yield from evaluated_nodes(child)


def statement_blocks(node: ast.stmt) -> list[list[ast.stmt]]:
    """The blocks of a compound statement, in source order."""
    blocks: list[list[ast.stmt]] = []
    for name in ("body", "handlers", "cases", "orelse", "finalbody"):
        parts = getattr(node, name, None) or []
        blocks += [part.body for part in parts if isinstance(part, ast.ExceptHandler | ast.match_case)]
        if parts and isinstance(parts[0], ast.stmt):
            blocks.append(parts)
    return blocks


def blocks_of(function: AnyFunction) -> Iterator[list[ast.stmt]]:
    """The blocks of a function, without those of functions and classes in it."""
    yield function.body
    for node in own_nodes(function):
        if isinstance(node, ast.stmt) and not isinstance(node, NESTED):
            yield from statement_blocks(node)


def functions_with_locals(
    tree: ast.Module, variables: Sequence[FunctionLocals]
) -> Iterator[tuple[AnyFunction, FunctionLocals]]:
    """Each function of a module with its variables. variables: those of all functions, in source order."""
    found = sorted((node for node in ast.walk(tree) if isinstance(node, AnyFunction)), key=lambda node: node.lineno)
    yield from zip(found, variables, strict=False)


def apply_renames(text: str, names: Renames) -> str:
    """The source with mentions renamed."""
    lines = [line.encode() for line in text.split("\n")]
    for (line, column), (old, new) in sorted(names.items(), reverse=True):
        before = lines[line - 1]
        assert before[column : column + len(old)] == old.encode()
        lines[line - 1] = before[:column] + new.encode() + before[column + len(old) :]
    return b"\n".join(lines).decode()


def is_plain(text: str) -> bool:
    """Whether `ast` parses the source and counts lines as `split` does."""
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return "\r" not in text.replace("\r\n", "\n") and "\f" not in text
