"""Jumps out of a block or statement: `break`, `continue`, `return`, `raise`.

Exceptions raised by expressions, and endless loops, are not considered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from rewrite.syntax import build
from rewrite.syntax.tree import BLOCK_FIELDS, CLAUSES, children

Before = Callable[[cst.CSTNode], Sequence[cst.BaseStatement]]
Rebuild = Callable[[Any, dict[str, Any]], Any]
LEAVING = (cst.Return, cst.Raise, cst.Break, cst.Continue)
_LOOPS = (cst.For, cst.While)
_OWN = (cst.FunctionDef, cst.ClassDef)
_INSIDE = (cst.BaseSuite, cst.BaseStatement, *CLAUSES)


def ends_with_jump(suite: cst.BaseSuite) -> bool:
    """Whether the last statement of a block is a jump, so that the end of the block is never reached."""
    last = suite.body[-1] if suite.body else None
    return isinstance(last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last, LEAVING)


def has_break(node: cst.CSTNode) -> bool:
    """Whether a `break` in the body of a loop ends that loop."""
    for child in children(node):
        if isinstance(child, cst.Break):
            return True
        if isinstance(child, (cst.For, cst.While)):
            if child.orelse is not None and has_break(child.orelse):
                return True
        elif isinstance(child, _INSIDE) and not isinstance(child, _OWN) and has_break(child):
            return True
    return False


def insert_before_jumps(node: Any, before: Before, rebuilt: Rebuild) -> Any:
    """Insert statements before each `break` or `continue` that leaves a statement.

    Args:
        node: the statement.
        before: returns the statements to insert before a jump.
        rebuilt: rebuilds a node with some of its fields replaced.

    Returns:
        The statement; the same object if it holds no such jump.
    """
    changes: dict[str, Any] = {}
    for name in () if isinstance(node, _OWN) else BLOCK_FIELDS:
        value = getattr(node, name, None)
        if value is None or (name == "body" and isinstance(node, _LOOPS)):
            continue
        if isinstance(value, cst.BaseSuite):
            new: Any = _suite(value, before, rebuilt)
        elif isinstance(value, (list, tuple)):
            new = [insert_before_jumps(part, before, rebuilt) for part in value]
        else:
            new = insert_before_jumps(value, before, rebuilt)
        if not _same(new, value):
            changes[name] = new
    return rebuilt(node, changes) if changes else node


def _suite(suite: cst.BaseSuite, before: Before, rebuilt: Rebuild) -> cst.BaseSuite:
    if isinstance(suite, cst.SimpleStatementSuite):
        if not _jumps(suite):
            return suite
        return build.expand_suite(suite, before(suite))
    body: list[Any] = []
    for statement in suite.body:
        if isinstance(statement, cst.SimpleStatementLine):
            body += [*before(statement), statement] if _jumps(statement) else [statement]
        else:
            body.append(insert_before_jumps(statement, before, rebuilt))
    return suite if _same(body, suite.body) else suite.with_changes(body=body)


def _jumps(line: Any) -> bool:
    return any(isinstance(small, (cst.Break, cst.Continue)) for small in line.body)


def _same(new: Any, old: Any) -> bool:
    if isinstance(new, list):
        return len(new) == len(old) and all(a is b for a, b in zip(new, old, strict=True))
    return new is old
