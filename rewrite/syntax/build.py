"""Small statements and expressions, made from parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import libcst as cst

from rewrite.syntax.tree import code, header, tight

Expression = TypeVar("Expression", bound=cst.BaseExpression)


def suite(statements: Sequence[cst.BaseStatement]) -> cst.IndentedBlock:
    """The statements as a block; `pass` where there are none."""
    return cst.IndentedBlock(list(statements) or [cst.SimpleStatementLine([cst.Pass()])])


def block(one_line: cst.BaseSuite, before: Sequence[cst.BaseStatement]) -> cst.IndentedBlock:
    """A suite that stands on the line of its statement as a block, with statements put first."""
    assert isinstance(one_line, cst.SimpleStatementSuite)
    line = cst.SimpleStatementLine(one_line.body, trailing_whitespace=one_line.trailing_whitespace)
    return cst.IndentedBlock([*before, line])


def if_(
    test: cst.BaseExpression, body: Sequence[cst.BaseStatement], orelse: Sequence[cst.BaseStatement] | None = None
) -> cst.If:
    """An `if` over blocks; without `orelse` there is no else branch, with an empty one it is `pass`."""
    return cst.If(header(test), suite(body), None if orelse is None else cst.Else(suite(orelse)))


def not_(test: cst.BaseExpression) -> cst.BaseExpression:
    """The negation; of an operation, in parentheses where it binds less tightly than `not`."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not) and not test.lpar:
        return test.expression if isinstance(test.expression, cst.Name) else cst.UnaryOperation(cst.Not(), test)
    return cst.UnaryOperation(cst.Not(), tight(test))


def line(statement: cst.BaseSmallStatement) -> cst.SimpleStatementLine:
    """A small statement on a line of its own."""
    return cst.SimpleStatementLine([statement])


def assign(name: str, value: cst.BaseExpression) -> cst.SimpleStatementLine:
    """The line `name = value`."""
    return line(cst.Assign([cst.AssignTarget(cst.Name(name))], value))


def again(node: Expression) -> Expression:
    """The same text a second time: a node may stand only once in a tree, and its comments stay with the first."""
    new = node.deep_clone() if "#" not in code(node) else node.visit(_Uncommented())
    assert isinstance(new, type(node))
    return new


class _Uncommented(cst.CSTTransformer):
    def leave_ParenthesizedWhitespace(  # noqa: N802 - LibCST's name
        self, original_node: cst.ParenthesizedWhitespace, updated_node: cst.ParenthesizedWhitespace
    ) -> cst.BaseParenthesizableWhitespace:
        return cst.SimpleWhitespace(" ")
