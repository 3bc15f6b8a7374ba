"""Whether a variable may get its value at an earlier statement of its block than the program gives it.

Nothing may observe the earlier value: no statement in between mentions the variable, control reaches the statement that
binds it now, and where an exception prevents that, nothing in the function runs afterwards. Whether only the function's
own statements use the variable is another question (`rewrite.analysis.legality.FunctionLocals.renamable`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from rewrite.passes.cleanup.name_mentions import NESTED, statement_blocks


def blocks_and_handlers(body: list[ast.stmt], caught: bool = False) -> Iterator[tuple[list[ast.stmt], bool]]:
    """Every block of a function, and whether the function may go on after an exception that is raised there."""
    yield body, caught
    for statement in body:
        if isinstance(statement, NESTED):
            continue
        within = caught or isinstance(statement, ast.Try | ast.TryStar | ast.With | ast.AsyncWith)
        for inner in statement_blocks(statement):
            yield from blocks_and_handlers(inner, within)


def can_bind_earlier(name: str, statements: Sequence[ast.stmt], *, caught: bool) -> bool:
    """Whether nothing can observe that the first of some statements binds a variable, not the one after the last.

    Args:
        name: The variable.
        statements: Consecutive statements of a block; what the first one says of the variable is not asked about.
        caught: Whether the function may go on after an exception that is raised in the block.
    """
    if caught:
        return False
    later = statements if isinstance(statements[0], ast.For) else statements[1:]
    inner = [node for statement in later for node in ast.walk(statement)]
    return not any(mentions(node, name) for node in inner) and not any(map(_leaves, statements))


def mentions(node: ast.AST, name: str) -> bool:
    """Whether a node mentions a variable, or binds it otherwise: a capture pattern, an exception handler, an import."""
    return name in {getattr(node, field, None) for field in ("id", "name", "rest", "asname")}


def _leaves(statement: ast.stmt) -> bool:
    """Whether control may leave a statement other than at its end or by an exception."""
    out = any(isinstance(node, ast.Return | ast.Yield | ast.YieldFrom | ast.Await) for node in ast.walk(statement))
    return out or _jumps(statement)


def _jumps(node: ast.AST) -> bool:
    """Whether a node contains a `break` or `continue` of an enclosing loop."""
    if isinstance(node, ast.Break | ast.Continue):
        return True
    if isinstance(node, ast.For | ast.AsyncFor | ast.While):
        return any(map(_jumps, node.orelse))
    return not isinstance(node, NESTED) and any(map(_jumps, ast.iter_child_nodes(node)))
