"""Which names certainly have a value after a statement, and whether a block needs one from before.

Conservative, for temporaries: what a loop, `try`, `with` or `match` binds inside is not certain behind it. Names that
expressions bind (walrus) are not looked at; a temporary is never bound so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import libcst as cst

from rewrite.jumps import LEAVING, breaks
from rewrite.tree import children, walk

Names = frozenset[str]


def after(statement: cst.CSTNode, bound: Names | None) -> Names | None:
    """The names certainly bound when the statement has run to its end; None: its end is never reached."""
    if bound is None:
        return None
    if isinstance(statement, cst.SimpleStatementLine):
        for small in statement.body:
            if isinstance(small, LEAVING):
                return None
            bound = (bound | frozenset(_bound_by(small))) - frozenset(_deleted_by(small))
        return bound
    if isinstance(statement, cst.If):
        other = statement.orelse
        ends = [_through(statement.body.body, bound), bound]
        if other is not None:
            ends[1] = after(other, bound) if isinstance(other, cst.If) else _through(other.body.body, bound)
        reached = [end for end in ends if end is not None]
        return frozenset.intersection(*reached) if reached else None
    if isinstance(statement, cst.While) and _endless(statement):
        return None
    if isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
        return bound | {statement.name.value}
    return bound


def _through(body: Sequence[cst.CSTNode], bound: Names) -> Names | None:
    at: Names | None = bound
    for statement in body:
        at = after(statement if isinstance(statement, cst.BaseStatement) else _line(statement), at)
    return at


def _line(small: cst.CSTNode) -> cst.SimpleStatementLine:
    return cst.SimpleStatementLine([small])  # type: ignore[list-item]


def _endless(node: cst.While) -> bool:
    return isinstance(node.test, cst.Name) and node.test.value == "True" and not breaks(node.body)


def _bound_by(small: cst.CSTNode) -> Iterable[str]:
    if isinstance(small, cst.Assign):
        for target in small.targets:
            yield from _names(target.target)
    elif isinstance(small, cst.AnnAssign) and small.value is not None:
        yield from _names(small.target)


def _deleted_by(small: cst.CSTNode) -> Iterable[str]:
    return _names(small.target) if isinstance(small, cst.Del) else ()


def _names(target: cst.CSTNode) -> Iterable[str]:
    if isinstance(target, cst.Name):
        yield target.value
    elif isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from _names(element.value)


def carried(body: Sequence[cst.CSTNode], name: str) -> bool:
    """Whether a block may read the name before it has bound it, so that the value must come from outside."""
    bound: Names | None = frozenset()
    for statement in body:
        if bound is None or name in bound:
            return False
        if not isinstance(statement, cst.BaseStatement):
            statement = _line(statement)
        if _may_read_first(statement, name):
            return True
        bound = after(statement, bound)
    return False


def _may_read_first(statement: cst.CSTNode, name: str) -> bool:
    """Whether one statement may read a name that has no value yet."""
    if isinstance(statement, cst.SimpleStatementLine):
        return any(_reads(small, name) for small in statement.body)
    suites: list[Sequence[cst.CSTNode]] = []
    bound_here = isinstance(statement, cst.For) and name in _names(statement.target)
    for part in _parts(statement):
        if isinstance(part, cst.BaseSuite):
            suites.append(part.body)
        elif isinstance(part, cst.If):
            suites.append([part])
        elif _reads(part, name) and not (isinstance(statement, cst.For) and part is statement.target):
            return True
    return not bound_here and any(carried(suite, name) for suite in suites)


def _parts(node: cst.CSTNode) -> Iterable[cst.CSTNode]:
    for child in children(node):
        if isinstance(child, (cst.Else, cst.Finally, cst.ExceptHandler, cst.ExceptStarHandler, cst.MatchCase)):
            yield from _parts(child)
        elif not (isinstance(node, (cst.FunctionDef, cst.ClassDef)) and child in (node.body, node.name)):
            yield child


def _reads(node: cst.CSTNode, name: str) -> bool:
    """Whether the name stands there other than as a whole target."""
    if isinstance(node, cst.Assign):
        others = [t.target for t in node.targets if name not in _names(t.target)]
        return any(_reads(part, name) for part in (node.value, *others))
    return any(isinstance(inner, cst.Name) and inner.value == name for inner in walk(node))
