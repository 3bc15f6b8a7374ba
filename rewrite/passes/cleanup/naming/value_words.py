"""Words for a variable by its values, and by what later statements make of its first value."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from rewrite.passes.cleanup.naming.function_facts import Definition, is_computed
from rewrite.passes.cleanup.naming.operation_words import object_of, operation_words
from rewrite.passes.cleanup.observed_values import NUMBERS, value_kind

NOUNS = {bool: "flag", int: "number", str: "part", list: "items", set: "items", tuple: "group", dict: "table"}


def loop_words(loops: Sequence[ast.expr], values: Sequence[object]) -> list[str]:
    """Words for the variable of loops over some expressions."""
    if values and all(isinstance(value, str) for value in values):
        return ["character" if all(len(str(value)) == 1 for value in values) else "piece"]
    whole = all(type(value) is int for value in values)
    counted = any(isinstance(one, ast.Call) and variable_name(one.func) in ("range", "enumerate") for one in loops)
    return ["index", "position", "place"] if whole and counted else ["item"]


def first_value_word(definitions: Sequence[Definition], values: Sequence[object], *, is_inner: bool) -> str:
    """The word for a variable that later statements change: what they make of a constant, a list, or a first piece.

    Args:
        definitions: What gives the variable a value.
        values: Its values.
        is_inner: Whether the first assignment is in more loops than the last one.
    """
    first, *others = definitions or [None]
    steps = [one.value for one in others if isinstance(one, ast.AugAssign)]
    match first:
        case ast.List(elts=[]):
            return "items"
        case ast.Constant(value=bool(start)) if not any(map(is_computed, others)):
            # True until something is False: it holds for all. False until something is True: it was found.
            return "holds" if start is not is_inner else "found"
        case ast.Constant(value=bool()):
            return "holds"  # what is compared at the end says less
        case ast.Constant(value=int()) if steps:
            return "count" if all(isinstance(one, ast.Constant) for one in steps) else "total"
        case ast.Constant(value=str()) if others:
            return "digits" if "".join(map(str, values)).isdecimal() else "joined"
        case ast.Subscript() if steps and all(isinstance(one, str) for one in values):
            return "joined"
    return ""


def list_word(values: Sequence[object]) -> str:
    """The word for lists, by the types of their items; "" if they have several, or a value is no list."""
    items = [item for value in values if isinstance(value, list) for item in value]
    if not items or not all(isinstance(value, list) for value in values):
        return ""
    kinds = {value_kind(item) for item in items}
    if kinds == {tuple}:
        return "pairs" if {len(item) for item in items if isinstance(item, tuple)} == {2} else "groups"
    if kinds == {str}:
        return "characters" if all(len(str(item)) == 1 for item in items) else "pieces"
    if kinds == {list} and {value_kind(inner) for item in items if isinstance(item, list) for inner in item} == {str}:
        return "groups"
    return {bool: "flags", int: "numbers", list: "rows"}.get(kinds.pop(), "") if len(kinds) == 1 else ""


def plural_word(item: ast.expr, value: object) -> str:
    """The word for a list of what an expression computes: `lengths`, `rounded`, the `prices` of `get_price`.

    Args:
        item: The expression.
        value: One of its values.
    """
    words = operation_words(item, value)
    if words and words[0].endswith("ed") and words[0] != "combined":  # says what was done to the items
        return words[0]
    match item:
        case ast.Call(func=ast.Name(id="len" | "ord")):
            return f"{words[0]}s"
        case ast.BinOp() if isinstance(value, NUMBERS) and words:
            return f"{words[0]}s"
    made = object_of_call(item)
    return f"{made}s" if made else ""


def object_of_call(node: ast.expr) -> str:
    """What the function of a call makes, by its name; "" if the name does not say."""
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return object_of(name)
    return ""


def variable_name(node: ast.expr) -> str:
    """The name of a variable; "" for any other expression."""
    return node.id if isinstance(node, ast.Name) else ""
