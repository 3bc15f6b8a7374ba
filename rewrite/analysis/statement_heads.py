"""Expressions in the head of a statement (without its blocks): indices of loops, bounds of ranges.

The analysis looks at syntax and names only; types are in `rewrite.analysis.exact_types` and `rewrite.evidence`.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from rewrite.analysis.scopes import Scope
from rewrite.syntax.tree import children

_LATER = (cst.Lambda, cst.FunctionDef, cst.ClassDef)


def head_nodes(statement: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield the nodes that a statement evaluates once: no blocks, no `while`, nothing deferred."""
    if isinstance(statement, (cst.BaseSuite, cst.While, *_LATER)):
        return
    yield statement
    inside = (statement.for_in,) if isinstance(statement, cst.BaseComp) else children(statement)
    for child in inside:
        yield from head_nodes(child)


def is_loop_index(place: cst.BaseExpression, scope: Scope) -> bool:
    """Whether an index is a loop variable or a counter, or one plus or minus a constant (`i + 1`).

    This includes an index that has a name of its own, since a rewrite gives it one.
    """
    if isinstance(place, cst.Name) and (owner := scope.owner(place.value)) is not None:
        values = [one.expression for one in owner.bindings[place.value] if one.how == "value"]
        if any(isinstance(value, cst.BinaryOperation) and _is_next_to(value, scope) for value in values):
            return True
    return _is_next_to(place, scope)


def _is_next_to(place: cst.BaseExpression, scope: Scope) -> bool:
    if isinstance(place, cst.BinaryOperation) and isinstance(place.right, cst.Integer):
        place = place.left
    owner = scope.owner(place.value) if isinstance(place, cst.Name) else None
    if not isinstance(place, cst.Name) or owner is None:
        return False
    return any(binding.how in ("element", "augmented") for binding in owner.bindings[place.value])


def range_arguments(statement: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """Yield the arguments of `range` in a head."""
    for node in head_nodes(statement):
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "range":
            yield from (argument.value for argument in node.args)


def range_bounds(statement: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """Yield the arguments of `range` in a head that follow from a name: `len(a)`, `n - 1`, `len(a) - 1`."""
    for argument in range_arguments(statement):
        yield from _at_a_glance(argument)


def _at_a_glance(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    match node:
        case cst.BinaryOperation(left=left, operator=cst.Add() | cst.Subtract(), right=cst.Integer()):
            inner = list(_at_a_glance(left))
            if inner or isinstance(left, cst.Name):
                yield from (node, *inner)
        case cst.Call(func=cst.Name(value="len"), args=[cst.Arg(value=cst.Name(), star="")]):
            yield node
