"""Rewrites from pairs of patterns: `N_x` is any variable, `E_x` any expression, `S_x` one or more statements.

They lose comments and layout (`ast.unparse`), so that only their behaviour can be tested.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from typing import Any

Environment = dict[str, Any]


def pattern_rewrite(name: str, before: str, after: str) -> Callable[[str], str]:
    """Return a function that rewrites every match of one pattern into the other."""
    old, new = ast.parse(before).body, ast.parse(after).body

    def rewrite(source: str) -> str:
        tree = ast.parse(source)
        transformer = _Transformer(old, new)
        changed = transformer.visit(tree)
        return ast.unparse(ast.fix_missing_locations(changed)) + "\n" if transformer.count else source

    rewrite.__name__ = rewrite.__qualname__ = name.replace(" ", "_")
    return rewrite


class _Transformer(ast.NodeTransformer):
    def __init__(self, old: list[ast.stmt], new: list[ast.stmt]) -> None:
        self.old, self.new, self.count = old, new, 0
        self.expression = isinstance(old[0], ast.Expr) and len(old) == 1 and not _is_block(old[0])

    def visit(self, node: ast.AST) -> Any:
        self.generic_visit(node)
        if self.expression:
            found: Environment = {}
            is_value = isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))
            if is_value and _matches(self.old[0].value, node, found):  # type: ignore[attr-defined]
                self.count += 1
                return _filled(self.new[0].value, found)  # type: ignore[attr-defined]
            return node
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                setattr(node, name, self._block(block))
        return node

    def _block(self, block: list[ast.stmt]) -> list[ast.stmt]:
        size, result, place = len(self.old), [], 0
        while place < len(block):
            found: Environment = {}
            window = block[place : place + size]
            if len(window) == size and all(_matches(a, b, found) for a, b in zip(self.old, window, strict=True)):
                self.count += 1
                result += _filled(self.new, found)
                place += size
            else:
                result.append(block[place])
                place += 1
        return result


def _is_block(node: Any) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Name) and node.value.id.startswith("S_")


def _matches(pattern: Any, node: Any, found: Environment) -> bool:
    if isinstance(pattern, ast.Name) and pattern.id[:2] in ("E_", "N_"):
        if not isinstance(node, ast.Name if pattern.id[0] == "N" else ast.expr):
            return False
        known = found.setdefault(pattern.id, node)
        return _dump(known) == _dump(node)
    if isinstance(pattern, list):
        if len(pattern) == 1 and _is_block(pattern[0]):
            found[pattern[0].value.id] = node
            return bool(node)
        return len(pattern) == len(node) and all(_matches(a, b, found) for a, b in zip(pattern, node, strict=True))
    if isinstance(pattern, ast.AST):
        if type(pattern) is not type(node):
            return False
        names = [name for name in pattern._fields if name not in ("ctx", "type_comment", "kind")]
        return all(_matches(getattr(pattern, name, None), getattr(node, name, None), found) for name in names)
    return bool(pattern == node and type(pattern) is type(node))


def _dump(node: ast.AST) -> str:
    return ast.dump(node).replace("Store()", "Load()").replace("Del()", "Load()")


def _filled(pattern: Any, found: Environment) -> Any:
    if isinstance(pattern, list):
        result = []
        for item in pattern:
            if _is_block(item):
                result += copy.deepcopy(found[item.value.id])
            else:
                result.append(_filled(item, found))
        return result
    if isinstance(pattern, ast.Name) and pattern.id in found:
        made = copy.deepcopy(found[pattern.id])
        if hasattr(made, "ctx"):
            made.ctx = pattern.ctx
        return made
    if isinstance(pattern, ast.AST):
        return type(pattern)(**{name: _filled(getattr(pattern, name, None), found) for name in pattern._fields})
    return pattern
