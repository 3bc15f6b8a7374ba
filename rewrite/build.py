"""Small statements and expressions, made from parts."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from rewrite.tree import header, tight


def suite(statements: Sequence[cst.BaseStatement]) -> cst.IndentedBlock:
    return cst.IndentedBlock(list(statements) or [cst.SimpleStatementLine([cst.Pass()])])


def if_(
    test: cst.BaseExpression, body: Sequence[cst.BaseStatement], orelse: Sequence[cst.BaseStatement] | None = None
) -> cst.If:
    return cst.If(header(test), suite(body), None if orelse is None else cst.Else(suite(orelse)))


def not_(test: cst.BaseExpression) -> cst.BaseExpression:
    """The negation; of an operation, in parentheses where it binds less tightly than `not`."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not) and not test.lpar:
        return test.expression if isinstance(test.expression, cst.Name) else cst.UnaryOperation(cst.Not(), test)
    return cst.UnaryOperation(cst.Not(), tight(test))


def line(statement: cst.BaseSmallStatement) -> cst.SimpleStatementLine:
    return cst.SimpleStatementLine([statement])


def assign(name: str, value: cst.BaseExpression) -> cst.SimpleStatementLine:
    return line(cst.Assign([cst.AssignTarget(cst.Name(name))], value))


def again(node: cst.BaseExpression) -> cst.BaseExpression:
    """The same text a second time: a node may stand only once in a tree."""
    return node.deep_clone()
