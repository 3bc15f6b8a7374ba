"""Mutation of programs: one or two small changes that keep a program valid.

Mutated programs need not be sensible. They are originals for a rewrite, which must keep whatever they do.
"""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Callable, Sequence
from typing import Any

from corpora.literals import compile_quietly

_CONSTANTS: tuple[object, ...] = (0, 1, -1, 2, 10, True, False, None, 0.0, -0.0, 1.5, "", "a", "ab", " ", b"a")
_COMPARISONS: tuple[type[ast.cmpop], ...] = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_OPERATORS: tuple[type[ast.operator], ...] = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitOr)
Mutation = Callable[[ast.AST, random.Random, Sequence[str]], bool]


def mutated(source: str, draw: random.Random, count: int = 1) -> str:
    """Return a program with up to `count` changes; the same source if none applies or the result does not compile."""
    tree = ast.parse(source)
    for _ in range(count):
        _mutate(tree, draw)
    return printed(tree) or source


def printed(tree: Any) -> str:
    """Return the source of a changed tree; "" if it is no Python program, such as a number as a part of an f-string."""
    try:
        text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        compile_quietly(text)
    except (SyntaxError, ValueError, AttributeError, TypeError, KeyError, IndexError):
        return ""
    return text


def _mutate(tree: ast.Module, draw: random.Random) -> None:
    names = sorted({node.id for node in ast.walk(tree) if isinstance(node, ast.Name)})
    nodes = [node for node in ast.walk(tree) if type(node) in _MUTATIONS]
    for node in draw.sample(nodes, min(len(nodes), 8)):
        if _MUTATIONS[type(node)](node, draw, names):
            return


def _constant(node: Any, draw: random.Random, names: Sequence[str]) -> bool:
    same = [value for value in _CONSTANTS if type(value) is type(node.value) and value != node.value]
    node.value = draw.choice(same if same and draw.random() < 0.7 else _CONSTANTS)
    node.kind = None
    return True


def _comparison(node: Any, draw: random.Random, names: Sequence[str]) -> bool:
    node.ops[draw.randrange(len(node.ops))] = draw.choice(_COMPARISONS)()
    return True


def _operator(node: Any, draw: random.Random, names: Sequence[str]) -> bool:
    node.op = draw.choice(_OPERATORS)()
    return True


def _boolean(node: Any, draw: random.Random, names: Sequence[str]) -> bool:
    node.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
    return True


def _name(node: Any, draw: random.Random, names: Sequence[str]) -> bool:
    if not isinstance(node.ctx, ast.Load) or draw.random() < 0.5:
        return False
    node.id = draw.choice(names)
    return True


def _branch(node: Any, draw: random.Random, names: Sequence[str]) -> bool:
    """Drops an else branch, adds one, or duplicates or deletes a statement of the body."""
    choice = draw.randrange(3)
    if choice == 0 and hasattr(node, "orelse"):
        node.orelse = [] if node.orelse else [copy.deepcopy(draw.choice(node.body))]
    elif choice == 1 and len(node.body) > 1:
        del node.body[draw.randrange(len(node.body))]
    else:
        node.body.insert(draw.randrange(len(node.body) + 1), copy.deepcopy(draw.choice(node.body)))
    return True


_MUTATIONS: dict[type[ast.AST], Mutation] = {
    ast.Constant: _constant,
    ast.Compare: _comparison,
    ast.BinOp: _operator,
    ast.AugAssign: _operator,
    ast.BoolOp: _boolean,
    ast.Name: _name,
    ast.If: _branch,
    ast.For: _branch,
    ast.While: _branch,
}
