"""Operators of LibCST as operations of the catalogue, which names them as `ast` does."""

from __future__ import annotations

from functools import cache

import libcst as cst

from analyze.operations.catalogue import candidates, select
from analyze.operations.operation import Form, Operation


def operation_of(operator: cst.CSTNode) -> Operation | None:
    """The operation of an operator, on the first type that has it; None for other nodes.

    >>> operation_of(cst.Subtract()).word, operation_of(cst.SubtractAssign()).name
    ('difference', 'Sub')
    """
    name = type(operator).__name__.removesuffix("Assign")
    return _by_class().get(name)


def binary_operator(operator: cst.BaseAugOp) -> cst.BaseBinaryOp:
    """The operator that an augmented assignment applies.

    >>> type(binary_operator(cst.FloorDivideAssign())).__name__
    'FloorDivide'
    """
    one = operation_of(operator)
    found = _operator(one) if one else None
    assert isinstance(found, cst.BaseBinaryOp)
    return found


def opposite_comparison(node: cst.BaseExpression, *, plain: bool = False) -> cst.Comparison | None:
    """The comparison whose result is the opposite for all values; None if there is none, or the node has parentheses.

    Args:
        node: The comparison.
        plain: Whether its operands have no comparison of their own.

    >>> tests = map(cst.parse_expression, ("a < b", "a == b", "a in b", "a in b in c", "a == list(b)"))
    >>> [opposite_comparison(one) is None for one in tests]
    [True, True, False, True, False]
    """
    match node:
        case cst.Comparison(comparisons=[cst.ComparisonTarget(operator=operator, comparator=right) as target], lpar=[]):
            known = operation_of(operator)
            lists = isinstance(operator, cst.Equal) and (_is_list(node.left) or _is_list(right))
            if known is not None and known.negation and (plain or known.has_plain_result or lists):
                opposite = _operator(candidates(known.negation)[0])
                return node.with_changes(comparisons=[target.with_changes(operator=opposite)])
    return None


def _is_list(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "list"


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
