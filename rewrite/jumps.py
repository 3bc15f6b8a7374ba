"""The jumps that leave a statement: each `break` and `continue` in it that belongs to a loop around it.

Knows nothing of what is to be done before them; `return` and exceptions are no jumps here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

Before = Callable[[cst.CSTNode], Sequence[cst.BaseStatement]]
Rebuild = Callable[[Any, dict[str, Any]], Any]
_LOOPS = (cst.For, cst.While)
_OWN = (cst.FunctionDef, cst.ClassDef)
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def before_jumps(node: Any, before: Before, rebuilt: Rebuild) -> Any:
    """The statement with what `before(jump)` gives in front of each jump that leaves it; itself, if there is none.

    rebuilt: makes a node anew, with some of its fields replaced.
    """
    changes: dict[str, Any] = {}
    for name in () if isinstance(node, _OWN) else _BLOCKS:
        value = getattr(node, name, None)
        if value is None or (name == "body" and isinstance(node, _LOOPS)):
            continue
        if isinstance(value, cst.BaseSuite):
            new: Any = _suite(value, before, rebuilt)
        elif isinstance(value, (list, tuple)):
            new = [before_jumps(part, before, rebuilt) for part in value]
        else:
            new = before_jumps(value, before, rebuilt)
        if not _same(new, value):
            changes[name] = new
    return rebuilt(node, changes) if changes else node


def _suite(suite: cst.BaseSuite, before: Before, rebuilt: Rebuild) -> cst.BaseSuite:
    if isinstance(suite, cst.SimpleStatementSuite):
        if not _jumps(suite):
            return suite
        return cst.IndentedBlock([*before(suite), cst.SimpleStatementLine(suite.body)])
    body: list[Any] = []
    for statement in suite.body:
        if isinstance(statement, cst.SimpleStatementLine):
            body += [*before(statement), statement] if _jumps(statement) else [statement]
        else:
            body.append(before_jumps(statement, before, rebuilt))
    return suite if _same(body, suite.body) else suite.with_changes(body=body)


def _jumps(line: Any) -> bool:
    return any(isinstance(small, (cst.Break, cst.Continue)) for small in line.body)


def _same(new: Any, old: Any) -> bool:
    if isinstance(new, list):
        return len(new) == len(old) and all(a is b for a, b in zip(new, old, strict=True))
    return new is old
