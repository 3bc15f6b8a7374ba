"""Where control leaves a block or statement for elsewhere: `break`, `continue`, `return`, `raise`.

What an exception or an endless loop leaves is not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from rewrite.syntax import build
from rewrite.syntax.tree import children

Before = Callable[[cst.CSTNode], Sequence[cst.BaseStatement]]
Rebuild = Callable[[Any, dict[str, Any]], Any]
LEAVING = (cst.Return, cst.Raise, cst.Break, cst.Continue)
_LOOPS = (cst.For, cst.While)
_OWN = (cst.FunctionDef, cst.ClassDef)
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
_INSIDE = (
    cst.BaseSuite,
    cst.BaseStatement,
    cst.Else,
    cst.Finally,
    cst.ExceptHandler,
    cst.ExceptStarHandler,
    cst.MatchCase,
)


def leaves(suite: cst.BaseSuite) -> bool:
    """Whether the last statement of a block leaves it for elsewhere, so that its end is never reached."""
    last = suite.body[-1] if suite.body else None
    return isinstance(last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last, LEAVING)


def breaks(node: cst.CSTNode) -> bool:
    """Whether a `break` in the body of a loop ends that loop."""
    for child in children(node):
        if isinstance(child, cst.Break):
            return True
        if isinstance(child, (cst.For, cst.While)):
            if child.orelse is not None and breaks(child.orelse):
                return True
        elif isinstance(child, _INSIDE) and not isinstance(child, _OWN) and breaks(child):
            return True
    return False


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
        return build.block(suite, before(suite))
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
