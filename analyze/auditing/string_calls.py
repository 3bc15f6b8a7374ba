"""Finds the string operations in a program's source: receiver, method, pattern, and their values if they are constant.

A value is known if it is a literal, or a name that its scope binds exactly once, to a literal. Only an execution shows
whether the receiver of `x.count(y)` or `y in x` is a string at all (`analyze.auditing.string_call_probes`).
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from analyze.hazards.batch import StringQuestion
from analyze.hazards.match_positions import (
    AUDITED_METHODS,
    BOUNDED_METHODS,
    EDIT_METHODS,
    LIMIT_ARGUMENT,
    SEARCH_METHODS,
)
from analyze.operations.catalogue import methods

_SAFE_TO_COMPUTE = EDIT_METHODS - methods("str", lambda one: bool(one.sized_by))


@dataclass(frozen=True)
class StringLiteral:
    """A string literal: its line (from 1), column (from 0) and value."""

    line: int
    column: int
    value: str


@dataclass(frozen=True)
class StringOperation:
    """A string operation in the source.

    Attributes:
        line: Its line, from 1.
        column: Its column, from 0.
        method: The method, "in" or "[]".
        receiver: The source of the string.
        pattern: The source of the pattern.
        question: The question to check; its text is empty if the receiver is unknown, and its pattern is None if that
            is.
        known: Whether all values are known.
    """

    line: int
    column: int
    method: str
    receiver: str
    pattern: str
    question: StringQuestion
    known: bool


def find_literals(tree: ast.AST) -> Iterator[StringLiteral]:
    """Yields every string literal, including the constant parts of f-strings, in the order of the tree."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield StringLiteral(node.lineno, node.col_offset, node.value)


def find_operations(tree: ast.Module) -> Iterator[StringOperation]:
    """Yields every call of a string method, every `in`, and every subscript of a known string."""
    yield from _within(tree, {})


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def _within(scope: ast.AST, outer: dict[str, str]) -> Iterator[StringOperation]:
    nodes = list(_own_nodes(scope))
    bound = Counter(name for node in nodes for name in _binds(node))
    bound.update(argument.arg for argument in _arguments(scope))
    known = {name: value for name, value in outer.items() if name not in bound}
    for node in nodes:
        target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
        if isinstance(node, ast.Assign) and isinstance(target, ast.Name) and bound[target.id] == 1:
            value = _string(node.value, {})
            if value is not None:
                known[target.id] = value
    for node in nodes:
        operation = _operation(node, known)
        if operation is not None:
            yield operation
        if isinstance(node, _SCOPES):
            yield from _within(node, known)


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """Yields the nodes of a scope without those of nested scopes (the nested scopes themselves included)."""
    todo = list(ast.iter_child_nodes(scope))[::-1]
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, _SCOPES):
            todo += list(ast.iter_child_nodes(node))[::-1]


def _arguments(scope: ast.AST) -> list[ast.arg]:
    if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        return []
    return [node for node in ast.walk(scope.args) if isinstance(node, ast.arg)]


def _binds(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        return [node.id]
    if isinstance(node, ast.Global | ast.Nonlocal):
        return [*node.names, *node.names]  # also bound elsewhere: counted twice, so never "exactly once"
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.alias):
        return [(node.asname or node.name).partition(".")[0]]
    return [node.name] if isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name else []


def _string(node: ast.expr | None, known: dict[str, str]) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return known.get(node.id) if isinstance(node, ast.Name) else None


def _operation(node: ast.AST, known: dict[str, str]) -> StringOperation | None:
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn):
        return _asked(node, "in", node.comparators[0], node.left, known)
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        text = _string(node.value, known)
        return _subscript(node, text) if text is not None else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in AUDITED_METHODS:
        pattern = node.args[0] if node.args and node.func.attr in SEARCH_METHODS else None
        if node.func.attr == "join":  # the receiver is the pattern; the text is the result
            return _asked(node, "join", None, node.func.value, known)
        found = _asked(node, node.func.attr, node.func.value, pattern, known)
        return _with_details(found, node, known)
    return None


def _asked(
    node: ast.expr, method: str, text: ast.expr | None, pattern: ast.expr | None, known: dict[str, str]
) -> StringOperation:
    value, sought = _string(text, known), _string(pattern, known)
    known_pattern = pattern is None or sought is not None
    return StringOperation(
        line=node.lineno,
        column=node.col_offset,
        method=method,
        receiver=ast.unparse(text) if text else "",
        pattern=ast.unparse(pattern) if pattern else "",
        question=StringQuestion(value or "" if known_pattern else "", sought, method),
        known=value is not None and known_pattern,
    )


def _with_details(found: StringOperation, node: ast.Call, known: dict[str, str]) -> StringOperation:
    """Adds the limit if it is a constant number, and the result if all operands are known and it cannot be large."""
    values = [
        argument.value if isinstance(argument, ast.Constant) else _string(argument, known) for argument in node.args
    ]
    bounded = found.method in BOUNDED_METHODS and len(node.args) > 1
    if bounded or node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
        return _unknown(found)
    place = LIMIT_ARGUMENT.get(found.method, len(values))
    if len(values) > place:
        limit = values[place]
        if not isinstance(limit, int):
            return _unknown(found)
        found = replace(found, question=replace(found.question, limit=limit))
    plain = found.known and all(isinstance(value, str | int) for value in values)
    if not plain or found.method not in _SAFE_TO_COMPUTE:
        return found
    try:
        result = getattr(found.question.text, found.method)(*values)
    except (TypeError, ValueError):
        return found  # the program would raise here, so there is no result
    return replace(found, question=replace(found.question, result=result))


def _unknown(found: StringOperation) -> StringOperation:
    """Drops the text: with an unknown limit or window, the occurrences are unknown."""
    return replace(found, question=replace(found.question, text=""), known=False)


def _subscript(node: ast.Subscript, text: str) -> StringOperation | None:
    cuts = cut_positions(_plain_index(node.slice), len(text))
    receiver, index = ast.unparse(node.value), ast.unparse(node.slice)
    question = StringQuestion(text, None, "[]", cuts=cuts)
    return StringOperation(node.lineno, node.col_offset, "[]", receiver, index, question, True) if cuts else None


def _plain_index(node: ast.expr) -> int | slice | None:
    if isinstance(node, ast.Slice):
        parts = [(part, _plain_index(part) if part else None) for part in (node.lower, node.upper, node.step)]
        unknown = any(part and not isinstance(value, int) for part, value in parts)
        return None if unknown else slice(*(value for _, value in parts))
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, int) else None


def cut_positions(index: int | slice | None, size: int) -> tuple[int, ...]:
    """Returns the characters that an index selects, or the first and last of a slice.

    Positions count from the left; positions outside the string are left out.
    """
    if isinstance(index, slice):
        if index.step == 0:
            return ()
        taken = range(size)[index]
        return tuple(dict.fromkeys((taken[0], taken[-1]))) if taken else ()
    if index is None or not -size <= index < size:
        return ()
    return (index % size,)
