"""Operators of LibCST as operations of the catalogue, which names them as `ast` does."""

from __future__ import annotations

from functools import cache

import libcst as cst

from analyze.operations.catalogue import select
from analyze.operations.operation import Form, Operation


def operation_of(operator: cst.CSTNode) -> Operation | None:
    """The operation of an operator, on the first type that has it; None for other nodes.

    >>> operation_of(cst.Subtract()).word, operation_of(cst.SubtractAssign()).name
    ('difference', 'Sub')
    """
    name = type(operator).__name__.removesuffix("Assign")
    return _by_class().get(name)


@cache
def _by_class() -> dict[str, Operation]:
    found: dict[str, Operation] = {}
    for one in select(lambda one: one.form in (Form.OPERATOR, Form.BOOLEAN)):
        found.setdefault(type(_operator(one)).__name__, one)
    return found


def _operator(one: Operation) -> cst.CSTNode:
    node = cst.parse_expression(f"a {one.symbol} b" if one.arguments else f"{one.symbol} a")
    assert isinstance(node, cst.BinaryOperation | cst.UnaryOperation | cst.BooleanOperation | cst.Comparison)
    return node.comparisons[0].operator if isinstance(node, cst.Comparison) else node.operator
