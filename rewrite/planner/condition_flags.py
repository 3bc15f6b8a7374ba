"""Conditions whose parts have steps of their own, so that a temporary gets their truth branch by branch.

    if a:
        _t0 = True
    else:
        _t1 = b()
        _t0 = _t1 > 0
    if _t0:
        …

A plan has no such conditions: the flag hides which operand decided.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from rewrite.anf.names import TEMPORARY


def has_flags(text: str) -> bool:
    """Whether a source has such a condition.

    >>> has_flags("if a:\\n    _t0 = a.b()\\nelse:\\n    _t0 = False\\nif _t0:\\n    a()\\n")
    True
    >>> has_flags("_t0 = False\\nfor b in a:\\n    if b:\\n        _t0 = True\\nif _t0:\\n    a()\\n")
    False
    """
    nodes = list(ast.walk(ast.parse(text)))
    tested = {_tested(node) for node in nodes if isinstance(node, ast.If)} - {""}
    branches = [(node.body, node.orelse) for node in nodes if isinstance(node, ast.If) and node.orelse]
    pairs = [pair for one, other in branches for pair in ((one, other), (other, one))]
    return any(
        _assigns(one, name, value) and _assigned_last(other) == name
        for name in tested
        for one, other in pairs
        for value in (True, False)
    )


def _tested(node: ast.If) -> str:
    """The temporary whose truth an `if` tests; "" for another test."""
    match node.test:
        case ast.Name(id=name) | ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name)):
            return name if TEMPORARY.fullmatch(name) else ""
    return ""


def _assigns(block: Sequence[ast.stmt], name: str, value: bool) -> bool:
    match block:
        case [ast.Assign(targets=[ast.Name(id=found)], value=ast.Constant(value=bool(constant)))]:
            return found == name and constant is value
    return False


def _assigned_last(block: Sequence[ast.stmt]) -> str:
    match block[-1]:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return ""
