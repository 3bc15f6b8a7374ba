"""Functions that do not escape: the program only calls them, so that nothing else sees the names of their parameters.

A function escapes if it is returned, stored, passed on or asked for an attribute: its signature can then be inspected.
Not detected: a call that lacks an argument, whose error message names the parameter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from rewrite.analysis.scopes import Scope
from rewrite.syntax.tree import children


@dataclass(frozen=True)
class DirectCalls:
    """How a program uses its functions.

    Attributes:
        keywords: the keywords of all calls.
        escaping: names that are used in another way than by calling them.
    """

    keywords: frozenset[str]
    escaping: frozenset[str]

    def may_rename(self, name: str, scope: Scope) -> bool:
        """Whether only the function of this scope sees the name of its parameter."""
        function = scope.node
        if not isinstance(function, cst.FunctionDef) or scope.parent is None or scope.parent.kind == "class":
            return False
        plain = not function.decorators and function.type_parameters is None
        held = function.name.value in self.escaping or name in self.keywords
        # A mutable default would show the parameter's name through the signature.
        return plain and not held and all(map(_is_constant, _defaults(function.params)))


def _is_constant(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Name):
        return node.value in ("None", "True", "False")
    operand = node.expression if isinstance(node, cst.UnaryOperation) else node
    return isinstance(operand, (cst.BaseNumber, cst.SimpleString))


def find_direct_calls(module: cst.Module, calls: Sequence[str]) -> DirectCalls | None:
    """Analyze a program and its calls.

    Returns:
        The result; None without calls, and if a call unpacks a dictionary or does not parse.
    """
    nodes: list[cst.CSTNode] = [module]
    try:
        nodes += [cst.parse_module(call) for call in calls]
    except cst.ParserSyntaxError:
        return None
    keywords: set[str] = set()
    held: set[str] = set()
    while nodes:
        node = nodes.pop()
        if isinstance(node, cst.Name):
            held.add(node.value)
        if isinstance(node, cst.Arg) and node.keyword is not None:
            keywords.add(node.keyword.value)
        if isinstance(node, cst.Arg) and node.star == "**":
            return None
        nodes += _looked_at(node)
    return DirectCalls(frozenset(keywords), frozenset(held)) if calls else None


def _looked_at(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The parts of a node, except names that are called or defined and names that are not variables."""
    match node:
        case cst.Call(func=cst.Name()):
            yield from node.args
        case cst.Arg():
            yield node.value
        case cst.Attribute():
            yield node.value
        case cst.FunctionDef():
            yield from (part for part in children(node) if part is not node.name)
        case cst.Param():
            yield from (part for part in (node.default, node.annotation) if part is not None)
        case _:
            yield from children(node)


def _defaults(node: cst.Parameters) -> Iterator[cst.BaseExpression]:
    for parameter in (*node.posonly_params, *node.params, *node.kwonly_params):
        if parameter.default is not None:
            yield parameter.default
