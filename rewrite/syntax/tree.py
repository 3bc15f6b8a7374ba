"""Walk and rebuild LibCST trees without LibCST's visitors, which cost more than parsing.

This module knows only the shape of the tree. Evaluation order is in `rewrite.analysis.evaluation_order`, name
resolution in `rewrite.analysis.scopes`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, TypeVar

import libcst as cst

from rewrite.syntax.tight_keywords import correct_keyword_spacing

correct_keyword_spacing()

Node = TypeVar("Node", bound=cst.CSTNode)

# Fields that hold layout, never a part of the program.
LAYOUT = {
    *("comma", "semicolon", "equal", "dot", "colon", "lpar", "rpar", "lbracket", "rbracket", "lbrace", "rbrace"),
    *("leading_lines", "lines_after_decorators", "header", "footer", "indent", "trailing_whitespace"),
    *("leading_whitespace", "asynchronous", "relative", "star", "first_colon", "second_colon", "posonly_ind"),
    *("conversion", "start", "end", "trailing_comma", "separator", "empty_lines", "comment", "newline"),
}
CLAUSES = (cst.Else, cst.Finally, cst.ExceptHandler, cst.ExceptStarHandler, cst.MatchCase)
"""The parts of a compound statement that have a block of their own."""
BLOCK_FIELDS = ("body", "orelse", "finalbody", "handlers", "cases")
"""The fields of a compound statement and its clauses that hold blocks and clauses."""
# Node classes without child nodes.
TEXT = {
    "Name",
    "NormalizedName",
    "Integer",
    "Float",
    "Imaginary",
    "SimpleString",
    "Ellipsis",
    "FormattedStringText",
    "Comment",
}

_fields: dict[type[cst.CSTNode], tuple[str, ...]] = {}


def fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    """Return the fields of a node class that may hold parts of the program, in source order for most classes."""
    known = _fields.get(kind)
    if known is None:
        names = () if kind.__name__ in TEXT else (field.name for field in dataclasses.fields(kind))
        known = tuple(n for n in names if n not in LAYOUT and not n.startswith("whitespace"))
        _fields[kind] = known
    return known


@cache
def is_node(kind: type[object]) -> bool:
    """Whether a class is a node class. Cached, since `isinstance` is slow on LibCST's abstract classes."""
    return issubclass(kind, cst.CSTNode)


@cache
def is_expression(kind: type[object]) -> bool:
    """Whether a class is an expression class (cached)."""
    return issubclass(kind, cst.BaseExpression)


def children(node: cst.CSTNode) -> list[cst.CSTNode]:
    """Return the child nodes that are part of the program: operators are included, layout is not."""
    found: list[cst.CSTNode] = []
    for name in fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, (list, tuple)):
            found += [item for item in value if is_node(item.__class__)]
        elif is_node(value.__class__):
            found.append(value)
    return found


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield `node` and all its descendants, parents first."""
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(reversed(children(top)))


def substitute(node: Node, replacement: Mapping[int, cst.BaseExpression]) -> Node:
    """Replace the operands of a node.

    The search goes through nodes that only carry an expression (arguments, elements, slices), not into other
    expressions.

    Args:
        node: the node to rebuild.
        replacement: the new expressions, by the id of the expression that each one replaces.
    """
    changes: dict[str, Any] = {}
    through = _LOOK_THROUGH.get(type(node), ())
    for name in fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, cst.CSTNode):
            new: Any = _replaced(value, replacement, name in through)
            if new is not value:
                changes[name] = new
        elif isinstance(value, (list, tuple)):
            items = [_replaced(item, replacement) if isinstance(item, cst.CSTNode) else item for item in value]
            if any(new is not old for new, old in zip(items, value, strict=True)):
                changes[name] = items
    return with_changes(node, changes) if changes else node


# Expressions that are not operands but carry some: the `a.b` of `a.b(c)`, the parts of `"a" f"{b}"`, the `a and b` of
# `a and b and c`.
_LOOK_THROUGH: dict[type[cst.CSTNode], tuple[str, ...]] = {
    cst.BooleanOperation: ("left",),
    cst.Call: ("func",),
    cst.ConcatenatedString: ("left", "right"),
}


def _replaced(value: cst.CSTNode, replacement: Mapping[int, cst.BaseExpression], through: bool = False) -> cst.CSTNode:
    new = replacement.get(id(value))
    if new is not None:
        return new
    if isinstance(value, cst.BaseExpression) and not through and not isinstance(value, cst.StarredElement):
        return value
    return substitute(value, replacement)


def replace_nodes(node: Node, replacement: Mapping[int, cst.BaseExpression]) -> Node:
    """Replace expressions anywhere in a node; whatever contains none of them stays the same object.

    Args:
        node: the node to rebuild.
        replacement: the new expressions, by the id of the expression that each one replaces.
    """
    changes: dict[str, Any] = {}
    for name in fields(type(node)):
        value = getattr(node, name)
        many = isinstance(value, (list, tuple))
        old = value if many else [value]
        new = [
            replacement.get(id(one)) or replace_nodes(one, replacement) if isinstance(one, cst.CSTNode) else one
            for one in old
        ]
        if any(one is not other for one, other in zip(new, old, strict=True)):
            changes[name] = new if many else new[0]
    return with_changes(node, changes) if changes else node


def with_changes(node: Node, changes: Mapping[str, Any]) -> Node:
    """Call `node.with_changes` with parentheses around what would run together (`return(a)+b`) or bind less tightly."""
    changes = {name: _as_tight(node, name, value) for name, value in changes.items()}
    try:
        return node.with_changes(**changes)
    except cst.CSTValidationError:
        return node.with_changes(**{name: _parenthesised(value) for name, value in changes.items()})


def _as_tight(node: cst.CSTNode, name: str, new: Any) -> Any:
    """A new operand, in parentheses if operators around it would take a part of it: `'-' + a` in `f"-{a}"[0]`."""
    if not isinstance(node, _OPERATIONS) or not isinstance(new, cst.BaseExpression):
        return new
    if _kind(node) == (cst.UnaryOperation, cst.Not):
        return as_not_operand(new)
    if _kind(getattr(node, name)) == _kind(new):
        return new  # its operands changed
    is_sum = name == "left" and _kind(node) == _kind(new) == (cst.BinaryOperation, cst.Add)
    return new if is_sum else as_operand(new)


def _kind(node: cst.CSTNode) -> tuple[type, type]:
    """The type of an expression, with that of its operator."""
    return type(node), type(getattr(node, "operator", None))


def _parenthesised(value: Any) -> Any:
    if isinstance(value, cst.BaseExpression) and not value.lpar:
        return value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    if isinstance(value, (list, tuple)):
        return [_parenthesised(item) for item in value]
    if isinstance(value, cst.ComparisonTarget):
        return value.with_changes(comparator=_parenthesised(value.comparator))
    return value


_PRINTER = cst.Module([])


def code(node: cst.CSTNode) -> str:
    """Return the source of a node that is not a statement."""
    if type(node) is cst.Name and not node.lpar:  # most nodes are names
        return node.value
    return _PRINTER.code_for_node(node)


def without_parentheses(expression: cst.BaseExpression) -> cst.BaseExpression:
    """Return the expression as the value of a statement: redundant parentheses removed, necessary ones added.

    A tuple and a generator expression keep theirs. An expression on several lines needs some.
    """
    return expression if _is_plain(expression) else _bare(expression, code(expression))


def as_step_value(expression: cst.BaseExpression) -> cst.BaseExpression:
    """Like `without_parentheses`, on one line if the expression holds no comment."""
    if _is_plain(expression):
        return expression
    text = code(expression)
    return without_parentheses(one_line(expression)) if "\n" in text else _bare(expression, text)


def _is_plain(expression: cst.BaseExpression) -> bool:
    return isinstance(expression, (cst.Name, cst.SimpleString)) and not expression.lpar


def _bare(expression: cst.BaseExpression, text: str) -> cst.BaseExpression:
    if "\n" in text or isinstance(expression, (cst.Tuple, cst.GeneratorExp, cst.NamedExpr)):
        if expression.lpar or (isinstance(expression, cst.Tuple) and "\n" not in text):
            return expression
        return _with_parentheses(expression)
    return expression.with_changes(lpar=(), rpar=()) if expression.lpar else expression


def as_header(expression: cst.BaseExpression) -> cst.BaseExpression:
    """Like `without_parentheses`, for the head of an `if`, `while` or `for`, where `yield` needs parentheses."""
    new = without_parentheses(expression)
    return _with_parentheses(new) if isinstance(new, cst.Yield) and not new.lpar else new


def as_not_operand(expression: cst.BaseExpression) -> cst.BaseExpression:
    """Return the expression as an operand of `not`, in parentheses if it binds less tightly."""
    weak = isinstance(expression, _WEAK) and not expression.lpar
    return _with_parentheses(expression) if weak else expression


def as_operand(expression: cst.BaseExpression) -> cst.BaseExpression:
    """Return the expression as an operand of any binary operator, in parentheses unless it is a primary."""
    return expression if isinstance(expression, _TIGHT) or expression.lpar else _with_parentheses(expression)


def as_starred_value(expression: cst.BaseExpression) -> cst.BaseExpression:
    """Return the expression as the operand of a star in a display, where comparisons and `not` need parentheses too."""
    weak = isinstance(expression, (cst.Comparison, cst.UnaryOperation)) and not expression.lpar
    return _with_parentheses(expression) if weak else as_not_operand(expression)


_TIGHT = (
    cst.Name,
    cst.BaseNumber,
    cst.BaseString,
    cst.Call,
    cst.Attribute,
    cst.Subscript,
    cst.List,
    cst.Dict,
    cst.Set,
    cst.BaseComp,
)
_OPERATIONS = (cst.Attribute, cst.Subscript, cst.Call, cst.Await, cst.BinaryOperation, cst.UnaryOperation)
_WEAK = (cst.BooleanOperation, cst.IfExp, cst.Lambda, cst.NamedExpr, cst.Yield)


class _OneLine(cst.CSTTransformer):
    """Joins the lines within brackets, except lines with a comment, and lines that a backslash continues."""

    def leave_SimpleWhitespace(  # noqa: N802 - LibCST's name
        self, original_node: cst.SimpleWhitespace, updated_node: cst.SimpleWhitespace
    ) -> cst.SimpleWhitespace:
        return cst.SimpleWhitespace(" ") if "\\" in updated_node.value else updated_node

    def leave_ParenthesizedWhitespace(  # noqa: N802 - LibCST's name
        self, original_node: cst.ParenthesizedWhitespace, updated_node: cst.ParenthesizedWhitespace
    ) -> cst.BaseParenthesizableWhitespace:
        lines = (updated_node.first_line, *updated_node.empty_lines)
        commented = any(getattr(line, "comment", None) is not None for line in lines)
        return updated_node if commented else cst.SimpleWhitespace(" ")


def one_line(expression: cst.BaseExpression) -> cst.BaseExpression:
    """Return a finished expression on one line if it holds no comment. Its descendants are new nodes."""
    if "\n" not in code(expression):
        return expression
    new = expression.visit(_OneLine())
    assert isinstance(new, cst.BaseExpression)
    if isinstance(new, cst.Call) and isinstance(new.whitespace_before_args, cst.SimpleWhitespace):
        new = new.with_changes(whitespace_before_args=cst.SimpleWhitespace(""))
        if new.args and isinstance(new.args[-1].comma, cst.MaybeSentinel):
            last = new.args[-1].with_changes(whitespace_after_arg=cst.SimpleWhitespace(""))
            new = new.with_changes(args=[*new.args[:-1], last])
    return new


def _with_parentheses(expression: cst.BaseExpression) -> cst.BaseExpression:
    return expression.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
