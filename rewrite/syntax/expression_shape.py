"""The shape of an expression or statement: what is left of it without its variables and constants."""

from __future__ import annotations

import ast
from collections.abc import Hashable

Shape = tuple[Hashable, ...]


def shape_of(node: ast.AST) -> Shape:
    """What nodes have in common that differ in variables and constants only.

    >>> one, other, third = (ast.parse(text, mode="eval") for text in ("area(a) + 1", "area(b) + c", "size(a) + 1"))
    >>> shape_of(one) == shape_of(other), shape_of(one) == shape_of(third)
    (True, False)
    """
    if isinstance(node, ast.Name | ast.Constant):
        return ()
    name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None
    return (type(node).__name__, name, getattr(node, "attr", None), *map(shape_of, ast.iter_child_nodes(node)))
