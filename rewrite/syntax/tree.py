"""Walking and rebuilding LibCST trees without LibCST's visitors, which cost more than parsing.

Knows only the shape of the tree. What is evaluated when stands in `rewrite.analysis.evaluation_order`, what a name
means in `rewrite.analysis.scopes`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

import libcst as cst

Node = TypeVar("Node", bound=cst.CSTNode)

# Fields that hold layout, never a part of the program.
LAYOUT = {
    *("comma", "semicolon", "equal", "dot", "colon", "lpar", "rpar", "lbracket", "rbracket", "lbrace", "rbrace"),
    *("leading_lines", "lines_after_decorators", "header", "footer", "indent", "trailing_whitespace"),
    *("leading_whitespace", "asynchronous", "relative", "star", "first_colon", "second_colon", "posonly_ind"),
    *("conversion", "start", "end", "trailing_comma", "separator", "empty_lines", "comment", "newline"),
}
# Fields that hold plain text in some class.
TEXT = {
    "Name",
    "Spelled",
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
    """The names of the fields of a node class that may hold parts of the program, in source order of most classes."""
    known = _fields.get(kind)
    if known is None:
        names = () if kind.__name__ in TEXT else (field.name for field in dataclasses.fields(kind))
        known = tuple(n for n in names if n not in LAYOUT and not n.startswith("whitespace"))
        _fields[kind] = known
    return known


@cache
def is_node(kind: type[object]) -> bool:
    """Whether a class is one of nodes: `isinstance`, which LibCST's abstract classes make slow, asked once a class."""
    return issubclass(kind, cst.CSTNode)


@cache
def is_expression(kind: type[object]) -> bool:
    """Whether a class is one of expressions."""
    return issubclass(kind, cst.BaseExpression)


def children(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The nodes right below `node` that are part of the program (operators among them, layout left out)."""
    found: list[cst.CSTNode] = []
    for name in fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, (list, tuple)):
            found += [item for item in value if is_node(item.__class__)]
        elif is_node(value.__class__):
            found.append(value)
    return found


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """`node` and everything below it, parents first."""
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(reversed(children(top)))


def substitute(node: Node, replacement: Mapping[int, cst.BaseExpression]) -> Node:
    """`node` with the expressions whose ids are the keys replaced.

    Looks through the nodes that only carry an expression (arguments, elements, slices), not into other expressions.
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
    return changed(node, changes) if changes else node


# Expressions that are no operand themselves, but carry some: the `a.b` of `a.b(c)`, the parts of `"a" f"{b}"`, the
# `a and b` of `a and b and c`.
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


def changed(node: Node, changes: Mapping[str, Any]) -> Node:
    """`node.with_changes`, with parentheses round new expressions where words would run together (`return(a)+b`)."""
    try:
        return node.with_changes(**changes)
    except cst.CSTValidationError:
        return node.with_changes(**{name: _parenthesised(value) for name, value in changes.items()})


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
    """The text of a node that is not a statement."""
    return _PRINTER.code_for_node(node)


def bare(expression: cst.BaseExpression) -> cst.BaseExpression:
    """The expression as the right side of a statement of its own: needless parentheses off, needed ones on.

    A tuple and a generator keep theirs; an expression that spans lines must have some.
    """
    return expression if _is_plain(expression) else _bare(expression, code(expression))


def step(expression: cst.BaseExpression) -> cst.BaseExpression:
    """The same on one line, if no comment stands in it (`one_line`)."""
    if _is_plain(expression):
        return expression
    text = code(expression)
    return bare(one_line(expression)) if "\n" in text else _bare(expression, text)


def _is_plain(expression: cst.BaseExpression) -> bool:
    return isinstance(expression, (cst.Name, cst.SimpleString)) and not expression.lpar


def _bare(expression: cst.BaseExpression, text: str) -> cst.BaseExpression:
    if "\n" in text or isinstance(expression, (cst.Tuple, cst.GeneratorExp, cst.NamedExpr)):
        if expression.lpar or (isinstance(expression, cst.Tuple) and "\n" not in text):
            return expression
        return _with_parentheses(expression)
    return expression.with_changes(lpar=(), rpar=()) if expression.lpar else expression


def header(expression: cst.BaseExpression) -> cst.BaseExpression:
    """The same as what an `if`, `while` or `for` begins with: a `yield` needs its parentheses there."""
    new = bare(expression)
    return _with_parentheses(new) if isinstance(new, cst.Yield) and not new.lpar else new


def tight(expression: cst.BaseExpression) -> cst.BaseExpression:
    """The expression as an operand of `not`: in parentheses where it binds less tightly."""
    weak = isinstance(expression, _WEAK) and not expression.lpar
    return _with_parentheses(expression) if weak else expression


def starred(expression: cst.BaseExpression) -> cst.BaseExpression:
    """The expression behind the star of a display, where comparisons and `not` need parentheses as well."""
    weak = isinstance(expression, (cst.Comparison, cst.UnaryOperation)) and not expression.lpar
    return _with_parentheses(expression) if weak else tight(expression)


_WEAK = (cst.BooleanOperation, cst.IfExp, cst.Lambda, cst.NamedExpr, cst.Yield)


class _OneLine(cst.CSTTransformer):
    """Joins what stands on several lines within brackets; a line with a comment stays."""

    def leave_ParenthesizedWhitespace(  # noqa: N802 - LibCST's name
        self, original_node: cst.ParenthesizedWhitespace, updated_node: cst.ParenthesizedWhitespace
    ) -> cst.BaseParenthesizableWhitespace:
        lines = (updated_node.first_line, *updated_node.empty_lines)
        commented = any(getattr(line, "comment", None) is not None for line in lines)
        return updated_node if commented else cst.SimpleWhitespace(" ")


def one_line(expression: cst.BaseExpression) -> cst.BaseExpression:
    """A finished expression, on one line if no comment stands in it. What is inside are new nodes."""
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


def statements(node: cst.BaseSuite) -> Sequence[cst.BaseStatement | cst.BaseSmallStatement]:
    """The statements of a block or of a one-line suite."""
    return node.body
