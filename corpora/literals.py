"""Parses code and literals that somebody else wrote, without the warnings of Python's parser about them."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from symtable import SymbolTable, symtable
from typing import Any

_SETS: dict[str, type[Any]] = {"set": set, "frozenset": frozenset}
UNPARSABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What Python's parser raises: for what is no Python, for a null character, and for code that is nested too deeply."""


def parse_quietly(text: str, mode: str = "exec") -> Any:
    """`ast.parse` without warnings, for example about `1if` or an invalid escape; it raises the same exceptions."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, mode=mode)


def compile_quietly(source: str, flags: int = 0) -> None:
    """Compiles a program without warnings, to see whether it compiles; raises what `compile` raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile(source, "<source>", "exec", flags, dont_inherit=True)


def symbols(source: str) -> SymbolTable | None:
    """The names that the scopes of a program bind and read, as the compiler sees them; None if it does not compile."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return symtable(source, "<source>", "exec")
    except UNPARSABLE:
        return None


def nested_tables(table: SymbolTable) -> Iterator[SymbolTable]:
    """A table of `symbols` and those of the scopes in it, the outermost first."""
    yield table
    for inner in table.get_children():
        yield from nested_tables(inner)


def parsed(code: str) -> ast.Module | None:
    """The tree of a program; None if it does not parse."""
    try:
        tree: ast.Module = parse_quietly(code)
        return tree
    except UNPARSABLE:
        return None


def parsed_expression(code: str) -> ast.expr | None:
    """The tree of an expression; None if the code is none."""
    try:
        tree: ast.expr = parse_quietly(code, "eval").body
        return tree
    except UNPARSABLE:
        return None


def parsed_or_reason(code: str, mode: str = "exec") -> Any | str:
    """The tree of a program or expression (of `ast.parse` in this mode), or the reason why it does not parse.

    >>> parsed_or_reason("1 +", "eval")
    'invalid syntax (line 1)'
    """
    try:
        return parse_quietly(code, mode)
    except SyntaxError as error:
        return error.msg + (f" (line {error.lineno})" if error.lineno else "")  # a null character has no line
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error) or type(error).__name__


def parse_literal(text: str) -> Any:
    """The value of a literal. `frozenset({1})` and `set([1])` count as one: a frozenset has no other notation.

    Raises:
        ValueError: The text is no literal.

    >>> parse_literal("[frozenset({1}), set()]")
    [frozenset({1}), set()]
    """
    try:
        tree = parse_quietly(text.lstrip(" \t"), "eval")
        return ast.literal_eval(SetCalls().visit(tree) if "set(" in text else tree)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
        raise ValueError(f"no literal: {error}") from error


def literal_arguments(call: ast.Call) -> dict[int | str | None, Any]:
    """The values of a call's arguments, by position or keyword. Raises ValueError if one is no literal.

    >>> literal_arguments(ast.parse("f([1], key='a')", mode="eval").body)
    {0: [1], 'key': 'a'}
    """
    arguments = [*enumerate(call.args), *((keyword.arg, keyword.value) for keyword in call.keywords)]
    try:
        return {place: parse_literal(ast.unparse(value)) for place, value in arguments}
    except RecursionError as error:
        raise ValueError(f"no literal: {error}") from error


class SetCalls(ast.NodeTransformer):
    """Replaces the calls of `set` and `frozenset` with a literal by their values."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """The value of the call as a constant, which `ast.literal_eval` takes as it is."""
        self.generic_visit(node)
        made = _SETS.get(node.func.id) if isinstance(node.func, ast.Name) else None
        if made is None or node.keywords or len(node.args) > 1:
            return node
        return ast.copy_location(ast.Constant(made(*map(ast.literal_eval, node.args))), node)


def label_text(value: Any) -> str:
    """The label of a row, as the text of a Python literal.

    A string is the text itself. Another value stands for the equal Python value of the same type: 8 for `8`, not for
    `'8'` or `8.0`; a list for a list, not for a tuple; true for `True`.

    Raises:
        ValueError: The value has no literal, such as NaN.

    >>> label_text("'8'"), label_text(8), label_text([1.0, {"a": True}])
    ("'8'", '8', "[1.0, {'a': True}]")
    """
    if isinstance(value, str):
        return value
    value = value.tolist() if hasattr(value, "tolist") else value  # of numpy
    text = repr(value)
    try:
        parse_literal(text)
    except ValueError:
        raise ValueError(f"{type(value).__name__} without a Python literal: {text[:60]}") from None
    return text
