"""Further calls of a program: other arguments of the same and of other types, and one object passed twice."""

from __future__ import annotations

import ast
import random
from collections.abc import Sequence

VALUES: dict[str, tuple[str, ...]] = {
    "int": ("0", "1", "-1", "2", "3", "7"),
    "bool": ("True", "False"),
    "float": ("0.0", "-0.0", "1.5", "float('nan')", "float('inf')"),
    "str": ("''", "'a'", "'ab'", "'b,a'", "'A1 b'"),
    "list": ("[]", "[1]", "[0, 0]", "[3, 1, 2]", "[1, True]", "['b', 'a']", "[[1], []]", "[float('nan'), 1]"),
    "tuple": ("()", "(1,)", "(2, 1)"),
    "dict": ("{}", "{'a': 1}", "{1: [], 'b': 2}"),
    "set": ("set()", "{1, 2}"),
    "none": ("None",),
}
_ALL = tuple(value for values in VALUES.values() for value in values)


def vary_calls(calls: Sequence[str], draw: random.Random, count: int) -> list[str]:
    """Return up to `count` different calls: the given ones, then variations of their literal arguments.

    Args:
        calls: calls of a function, such as "f(1, [2])".
        draw: the source of randomness.
        count: the maximum number of calls.
    """
    found = dict.fromkeys(calls)
    for _ in range(3 * count):
        if len(found) >= count or not calls:
            break
        found[_varied(draw.choice(list(calls)), draw)] = None
    return list(found)[:count]


def _varied(call: str, draw: random.Random) -> str:
    try:
        tree = ast.parse(call, mode="eval")
    except SyntaxError:  # a statement, such as `pass`
        return call
    inner = next((node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args), None)
    if inner is None:
        return call
    if len(inner.args) > 1 and draw.random() < 0.15:
        return _shared(call, tree, inner, draw)
    for place in draw.sample(range(len(inner.args)), draw.randint(1, len(inner.args))):
        if not isinstance(inner.args[place], ast.Starred):
            inner.args[place] = ast.parse(_value(inner.args[place], draw), mode="eval").body
    return ast.unparse(tree)


def _shared(call: str, tree: ast.Expression, inner: ast.Call, draw: random.Random) -> str:
    """A call whose arguments are the same object twice."""
    first, second = draw.sample(range(len(inner.args)), 2)
    if isinstance(inner.args[first], ast.Starred) or isinstance(inner.args[second], ast.Starred):
        return call
    shared = ast.unparse(inner.args[first])
    for place in (first, second):
        inner.args[place] = ast.Name("shared", ast.Load())
    return f"(lambda shared: {ast.unparse(tree)})({shared})"


def _value(node: ast.expr, draw: random.Random) -> str:
    kind = _kind(node)
    return draw.choice(VALUES[kind] if kind in VALUES and draw.random() < 0.7 else _ALL)


def _kind(node: ast.expr) -> str:
    if isinstance(node, ast.UnaryOp):
        return _kind(node.operand)
    if isinstance(node, ast.Constant):
        return "none" if node.value is None else type(node.value).__name__
    return type(node).__name__.lower()
