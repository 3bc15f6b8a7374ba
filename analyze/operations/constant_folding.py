"""Constant folding: the values of constant expressions.

Folding is limited to side-effect-free operations of bounded size. No program is run.
"""

from __future__ import annotations

import ast
import builtins
import itertools
import operator
from collections.abc import Callable, Iterable
from typing import Any

from analyze.operations.catalogue import functions, methods
from analyze.operations.operation import Kind, Operation, Reads

MAX_LENGTH = 2_000
"""Of items and characters of a value, with those of its items."""
MAX_BITS = 256


class NotConstantError(Exception):
    """The expression is not a constant expression, or its value is too large."""


def _is_bounded(operation: Operation) -> bool:
    return operation.reads is Reads.NOTHING and operation.mutates is None and not operation.sized_by


BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
"""The function that computes each binary operator."""

_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}

# What computes a value of bounded size from values, in bounded time.
_FOLDED = (Kind.CONVERT, Kind.MEASURE, Kind.ARITHMETIC, Kind.TEST, Kind.SORT, Kind.BUILD)
PURE_FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(builtins, name) for name in functions(lambda one: one.kind in _FOLDED and _is_bounded(one))
}
"""The builtin functions that are folded, by name."""

_PURE_METHODS = methods("str", lambda one: one.kind is not Kind.FORMAT and _is_bounded(one))
_BLIND = {set, frozenset, len, bool}
"""The functions whose result does not depend on the order of a set, which differs between processes."""


def fold(node: ast.expr, known: dict[str, Any]) -> Any:
    """Evaluate an expression of literals and known names.

    Args:
        node: The expression.
        known: Values of names.

    Raises:
        NotConstantError: If the expression is not constant or its value is too large.

    >>> fold(ast.parse("47 * 100 + int('11')", mode="eval").body, {})
    4711
    """
    try:
        value = _evaluate(node, known)
    except NotConstantError:
        raise
    except Exception:  # noqa: BLE001 - the operation is not defined for these operands
        raise NotConstantError from None
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise NotConstantError
    if _size(value) > MAX_LENGTH:
        raise NotConstantError
    return value


def _size(value: object) -> int:
    """The number of items and characters in a value, with those of its items; more than MAX_LENGTH if it is larger."""
    if isinstance(value, str | bytes):
        return len(value)
    found = 0
    for item in _items(value):
        found += 1 + _size(item)
        if found > MAX_LENGTH:
            break
    return found


def _items(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return itertools.chain(value.keys(), value.values())
    return value if isinstance(value, list | tuple | set | frozenset) else ()


def _has_set(value: object) -> bool:
    return isinstance(value, set | frozenset) or any(map(_has_set, _items(value)))


def folded(node: ast.expr, known: dict[str, Any]) -> list[Any]:
    """The value of a constant expression in a list, as `fold` returns it; an empty list for any other expression."""
    try:
        return [fold(node, known)]
    except NotConstantError:
        return []


def _evaluate(node: ast.expr, known: dict[str, Any]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) if name in known:
            return known[name]
        case ast.UnaryOp(op=op, operand=inner) if type(op) in _UNARY:
            return _UNARY[type(op)](fold(inner, known))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            return _apply_operator(op, fold(left, known), fold(right, known))
        case ast.Tuple(elts=parts):
            return tuple(fold(part, known) for part in parts)
        case ast.List(elts=parts):
            return [fold(part, known) for part in parts]
        case ast.Set(elts=parts):
            return {fold(part, known) for part in parts}
        case ast.Dict(keys=keys, values=values) if all(keys):
            return {fold(key, known): fold(held, known) for key, held in zip(keys, values, strict=True) if key}
        case ast.Call(func=ast.Name(id=name), args=given, keywords=[]) if name in PURE_FUNCTIONS:
            return _apply_function(PURE_FUNCTIONS[name], [fold(part, known) for part in given])
        case ast.Call(func=ast.Attribute(value=inner, attr=attr), args=given, keywords=[]) if attr in _PURE_METHODS:
            text = fold(inner, known)
            if isinstance(text, str | bytes):
                return _apply_function(getattr(text, attr), [fold(part, known) for part in given])
        case ast.Subscript(value=inner, slice=place) if not isinstance(place, ast.Slice):
            return fold(inner, known)[fold(place, known)]
    raise NotConstantError


def _apply_function(function: Callable[..., Any], given: list[Any]) -> Any:
    if function not in _BLIND and any(map(_has_set, given)):
        raise NotConstantError
    if function is round and len(given) > 1 and abs(given[1]) > MAX_BITS:
        raise NotConstantError  # `round(1, -10**9)` computes a power of ten
    return function(*given)


def _apply_operator(op: ast.operator, left: Any, right: Any) -> Any:
    if isinstance(op, ast.Mult) and not (is_number(left) and is_number(right)):
        sizes = [value if isinstance(value, int) else len(value) for value in (left, right)]
        if sizes[0] * sizes[1] > MAX_LENGTH:
            raise NotConstantError
    if isinstance(op, ast.Pow | ast.LShift) and (abs(right) > MAX_BITS or abs(left) > 1 << 64):
        raise NotConstantError
    if isinstance(op, ast.Mod) and isinstance(left, str | bytes):
        raise NotConstantError  # `'%999999999d' % 1` would be huge
    return BINARY[type(op)](left, right)


def single_assignment_constants(tree: ast.AST) -> dict[str, Any]:
    """Values of the names that are bound exactly once, and to a constant expression."""
    bound: dict[str, int] = {}
    assigned: list[tuple[str, ast.expr]] = []
    for node in ast.walk(tree):
        name = getattr(node, "id", "") if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) else ""
        name = name or (node.arg if isinstance(node, ast.arg) else "")
        bound[name] = bound.get(name, 0) + 1
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            assigned.append((node.targets[0].id, node.value))
    known: dict[str, Any] = {}
    for name, value in assigned:
        for constant in folded(value, known) if bound[name] == 1 else ():
            known[name] = constant
    return known


def is_number(value: object) -> bool:
    """Whether a value is an int or a float, and no bool."""
    return isinstance(value, int | float) and not isinstance(value, bool)
