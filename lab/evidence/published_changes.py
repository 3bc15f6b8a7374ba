"""How much a published rewrite changes: renamed variables, rewritten conditions, added statements."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def renamed_variables(before: str, after: str) -> int:
    """The number of variables and parameters with another name; functions do not count.

    Raises:
        ValueError: The programs differ in more than names.

    >>> renamed_variables("def f(a): return a + b", "def g(Var_1): return Var_1 + b")
    1
    """
    pairs = list(zip(_names(before), _names(after), strict=True))
    return len({old for old, new in pairs if old != new})


def _names(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg


def changed_conditions(before: str, after: str) -> int:
    """The number of conditions that differ, of `if`, `while` and the like, and of other expressions outside of them.

    >>> changed_conditions("if a: b = c", "if not not a: b = c")
    1
    >>> changed_conditions("if a: b = c", "if a: b = c")
    0
    """
    return _differences(ast.parse(before), ast.parse(after))


def _differences(one: object, other: object, field: str = "") -> int:
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return sum(_differences(*pair) for pair in zip(one, other, strict=True))
    if not isinstance(one, ast.AST) or not isinstance(other, ast.AST) or type(one) is not type(other):
        return int(one != other)
    if field == "test":
        return int(ast.dump(one) != ast.dump(other))
    return sum(_differences(getattr(one, name, None), getattr(other, name, None), name) for name in one._fields)


def added_statements(before: str, after: str) -> int:
    """How many more statements the second program has, at any depth.

    >>> added_statements("x = 1", "if x != x:\\n    y = x\\nx = 1")
    2
    """
    return _statements(after) - _statements(before)


def _statements(source: str) -> int:
    return sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(source)))
