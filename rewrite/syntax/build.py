"""Build LibCST statements and expressions from parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import libcst as cst

from rewrite.syntax.tree import as_header, as_not_operand, as_operand, code

Expression = TypeVar("Expression", bound=cst.BaseExpression)


def suite(statements: Sequence[cst.BaseStatement]) -> cst.IndentedBlock:
    """Return the statements as an indented block, `pass` if there are none."""
    return cst.IndentedBlock(list(statements) or [cst.SimpleStatementLine([cst.Pass()])])


def expand_suite(one_line: cst.BaseSuite, before: Sequence[cst.BaseStatement]) -> cst.IndentedBlock:
    """Turn a suite on the line of its statement (`if x: y`) into an indented block.

    Args:
        one_line: a `SimpleStatementSuite`.
        before: statements to insert at the start of the block.
    """
    assert isinstance(one_line, cst.SimpleStatementSuite)
    line = cst.SimpleStatementLine(one_line.body, trailing_whitespace=one_line.trailing_whitespace)
    return cst.IndentedBlock([*before, line])


def if_(
    test: cst.BaseExpression, body: Sequence[cst.BaseStatement], orelse: Sequence[cst.BaseStatement] | None = None
) -> cst.If:
    """Return an `if` statement.

    Args:
        test: the condition.
        body: the statements of the first branch.
        orelse: the statements of the else branch. None: no else branch; empty: an else branch with `pass`; nothing but
            an `if`: an `elif`.
    """
    return cst.If(as_header(test), suite(body), None if orelse is None else else_(orelse))


def else_(statements: Sequence[cst.BaseStatement]) -> cst.If | cst.Else:
    """Return statements as an else branch, as an `elif` if they are nothing but an `if`."""
    match statements:
        case [cst.If(leading_lines=()) as only]:
            return only
    return cst.Else(suite(statements))


def not_(test: cst.BaseExpression) -> cst.BaseExpression:
    """Return the negation, with parentheses around an operand that binds less tightly than `not`."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not) and not test.lpar:
        return test.expression if isinstance(test.expression, cst.Name) else cst.UnaryOperation(cst.Not(), test)
    return cst.UnaryOperation(cst.Not(), as_not_operand(test))


def join_conditions(first: cst.BaseExpression, rest: cst.BaseExpression, negate: bool = False) -> cst.BooleanOperation:
    """Return `first and rest`, or with `negate` `first or rest`, with parentheses where they are needed."""
    operator = cst.Or if negate else cst.And
    return cst.BooleanOperation(as_condition_operand(first, operator), operator(), as_condition_operand(rest, operator))


def as_condition_operand(node: cst.BaseExpression, operator: type[cst.BaseBooleanOp]) -> cst.BaseExpression:
    """Return the expression as an operand of `and` or `or`, in parentheses if it binds less tightly."""
    loose = isinstance(node, cst.IfExp | cst.Lambda | cst.NamedExpr | cst.Yield)
    other = isinstance(node, cst.BooleanOperation) and not isinstance(node.operator, operator)
    return as_operand(node) if loose or other else node


def line(statement: cst.BaseSmallStatement) -> cst.SimpleStatementLine:
    """Put a small statement on a line of its own."""
    return cst.SimpleStatementLine([statement])


def assign(name: str, value: cst.BaseExpression) -> cst.SimpleStatementLine:
    """Return the line `name = value`."""
    return line(cst.Assign([cst.AssignTarget(cst.Name(name))], value))


def clone(node: Expression) -> Expression:
    """Copy a node to use the same code a second time: a tree must not hold a node twice. Comments are not copied."""
    new = node.deep_clone() if "#" not in code(node) else node.visit(_CommentRemover())
    assert isinstance(new, type(node))
    return new


class _CommentRemover(cst.CSTTransformer):
    def leave_ParenthesizedWhitespace(  # noqa: N802 - LibCST's name
        self, original_node: cst.ParenthesizedWhitespace, updated_node: cst.ParenthesizedWhitespace
    ) -> cst.BaseParenthesizableWhitespace:
        return cst.SimpleWhitespace(" ")
