"""The statements in which two programs differ, and whether calls reached them.

A verdict on two programs needs an input that executed the code that differs. Layout, comments and functions that only
one of the programs has do not count as such code.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from rewrite.equivalence.coverage import CallPath
from rewrite.equivalence.path_observer import FUNCTION, LAMBDA, MODULE

_BLOCKS = ("body", "orelse", "finalbody")
_CLAUSES = ("handlers", "cases")
"""Parts of statements that have blocks: `except` and `case`."""
_DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_DECLARATIONS = _DEFINITIONS | ast.Import | ast.ImportFrom | ast.Global | ast.Nonlocal


@dataclass(frozen=True)
class ChangedStatement:
    """A statement that the other program does not have in its place; of a compound statement, its head.

    Attributes:
        first: The first line.
        last: The last line.
        scope: Where it runs: `MODULE` (also in the body of a class), `FUNCTION`, or `LAMBDA` if only that part differs.
        raises: Whether it is a `raise` or an `assert`, which are expected to raise.
    """

    first: int
    last: int
    scope: int = MODULE
    raises: bool = False

    def is_entered(self, path: CallPath) -> bool:
        """Whether a call came to the statement."""
        return any(step.scope >= self.scope and self.first <= step.end <= self.last for step in path.steps)

    def is_completed(self, path: CallPath) -> bool:
        """Whether a call executed the statement to its end, or came to it if it is expected to raise."""
        if self.raises and self.is_entered(path):
            return True
        return any(
            step.scope >= self.scope
            and self.first <= step.start <= self.last
            and not step.raised
            and not self.first <= step.end <= self.last
            for step in path.steps
        )


def changed_lines(before: str, after: str) -> frozenset[int]:
    """Return the lines of `before` (from 1) on which a statement begins that `after` does not have in its place.

    Example:
        >>> sorted(changed_lines("a = 1\\nif a:\\n    b = 2\\n", "a = 1\\nif a:\\n    b = 3\\n"))
        [3]
    """
    return frozenset(one.first for one in changed_statements(ast.parse(before), ast.parse(after)))


def changed_statements(before: ast.Module, after: ast.Module) -> tuple[ChangedStatement, ...]:
    """Return the statements of `before` that `after` does not have in their place.

    A statement that only `after` has counts as a change of the statement of `before` that follows it.
    """
    return tuple(dict.fromkeys(_changed(before.body, after.body, MODULE)))


def is_any_completed(changes: Iterable[ChangedStatement], paths: Sequence[CallPath]) -> bool:
    """Whether some call executed one of the changed statements to its end."""
    return any(change.is_completed(path) for change in changes for path in paths)


def _changed(before: Sequence[ast.stmt], after: Sequence[ast.stmt], scope: int) -> Iterator[ChangedStatement]:
    """The changes of a block. Functions and classes are compared with those of the same name."""
    old, new = list(map(_key, before)), list(map(_key, after))
    for tag, start, end, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        mine, other = before[start:end], after[first:last]
        if tag == "equal":
            for one, same in zip(mine, other, strict=True):
                yield from _changed_definition(one, same, scope) if isinstance(one, _DEFINITIONS) else ()
        elif tag == "insert":
            added = [node for node in other if not isinstance(node, _DECLARATIONS) and not _is_constant(node)]
            if added and before:
                yield _head(before[min(start, len(before) - 1)], scope)
        elif len(mine) == len(other):
            for one, same in zip(mine, other, strict=True):
                inside = _changed_inside(one, same, scope)
                yield from _whole(one, scope) if inside is None else inside
        else:
            for one in mine:
                yield from _whole(one, scope)


def _key(node: ast.stmt) -> str:
    """What identifies a statement in a block: its name for a function or class, otherwise all of it."""
    return f"{type(node).__name__} {node.name}" if isinstance(node, _DEFINITIONS) else ast.dump(node)


def _is_constant(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _changed_definition(one: Any, other: Any, scope: int) -> Iterator[ChangedStatement]:
    """The changes of a function or class whose name is the same: of its head, then of its body."""
    if _heads(one) != _heads(other):
        yield _head(one, scope)
    yield from _changed(one.body, other.body, _scope_of(one, scope))


def _scope_of(node: ast.stmt, scope: int) -> int:
    """Where the body of a statement runs."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return FUNCTION
    return MODULE if isinstance(node, ast.ClassDef) else scope


def _whole(node: Any, scope: int) -> Iterator[ChangedStatement]:
    """A statement that has no counterpart: for a function or class, the statements inside."""
    if isinstance(node, _DEFINITIONS):
        for inner in node.body:
            yield from _whole(inner, _scope_of(node, scope))
    elif not isinstance(node, _DECLARATIONS) and not _is_constant(node):
        yield _head(node, scope)


def _head(node: Any, scope: int) -> ChangedStatement:
    """The lines of a statement that it executes itself; `try` executes none, but its first statement."""
    if isinstance(node, ast.Try | ast.TryStar):
        return _head(node.body[0], scope)
    block = getattr(node, "body", None) or getattr(node, "cases", None)
    last = node.end_lineno if not block else max(node.lineno, _first_line(block[0]) - 1)
    return ChangedStatement(node.lineno, last, scope, isinstance(node, ast.Raise | ast.Assert))


def _first_line(node: Any) -> int:
    return int(node.pattern.lineno if isinstance(node, ast.match_case) else node.lineno)


def _changed_inside(one: Any, other: Any, scope: int) -> list[ChangedStatement] | None:
    """The changes in the blocks or lambda functions of a statement; None if the statement itself changed."""
    if type(one) is not type(other) or isinstance(one, _DEFINITIONS):
        return None
    if not {"body", "cases"} & {*one._fields}:
        return _changed_lambdas(one, other)
    if _heads(one) != _heads(other):
        return None
    blocks = [name for name in _BLOCKS if hasattr(one, name)]
    changes = [found for name in blocks for found in _changed(getattr(one, name), getattr(other, name), scope)]
    for name in _CLAUSES:
        for clause, new in zip(getattr(one, name, ()), getattr(other, name, ()), strict=True):
            changes += _changed_inside(clause, new, scope) or ()
    return changes


def _changed_lambdas(one: ast.stmt, other: ast.stmt) -> list[ChangedStatement] | None:
    """The changes of two statements that differ only in the bodies of lambda functions; None if they differ in more."""
    pairs = list(zip(_lambdas(one), _lambdas(other), strict=False))
    if not pairs or _without_lambdas(one) != _without_lambdas(other):
        return None
    differing = [mine for mine, new in pairs if ast.dump(mine.body) != ast.dump(new.body)]
    return [ChangedStatement(node.body.lineno, node.body.end_lineno or 0, LAMBDA) for node in differing]


def _lambdas(node: ast.AST) -> list[ast.Lambda]:
    """The outermost lambda functions of a statement."""
    if isinstance(node, ast.Lambda):
        return [node]
    return [found for child in ast.iter_child_nodes(node) for found in _lambdas(child)]


def _without_lambdas(node: ast.stmt) -> str:
    text = ast.dump(node)
    for inner in _lambdas(node):
        text = text.replace(ast.dump(inner.body), "...", 1)
    return text


def _heads(node: Any) -> list[str]:
    """The parts of a statement or clause outside of its blocks, and which blocks it has."""
    return [f"{name}={_part(name, value)}" for name, value in ast.iter_fields(node)]


def _part(name: str, value: Any) -> str:
    if name in _CLAUSES:
        return str([_heads(clause) for clause in value])
    return str(bool(value)) if name in _BLOCKS else _dumped(value)


def _dumped(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_dumped, value)) + "]"
    return ast.dump(value) if isinstance(value, ast.AST) else repr(value)
