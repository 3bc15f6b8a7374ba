"""Solutions of comparisons: values of a variable for which an expression evaluates to a given value.

The solutions are guesses. The caller has to try them.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from analyze.operations.catalogue import methods, select
from analyze.operations.constant_folding import BINARY, MAX_LENGTH, folded, is_number
from analyze.operations.operation import Form, Kind


@dataclass(frozen=True)
class RequiredLength:
    """A length that makes a comparison true."""

    size: int


def solve(node: ast.expr, wanted: Any, known: dict[str, Any]) -> Iterator[Any]:
    """Yield values of the variable in an expression for which the expression may evaluate to `wanted`.

    The solutions are guesses; the caller has to try them.

    >>> list(solve(ast.parse("2 * n + 1", mode="eval").body, 9423, {}))
    [4711]
    """
    match node:
        case ast.Name():
            yield wanted
        case ast.UnaryOp(op=ast.USub(), operand=inner) if is_number(wanted):
            yield from solve(inner, -wanted, known)
        case ast.BinOp(left=ast.Name(id=left), op=ast.Mult(), right=ast.Name(id=right)) if left == right:
            yield from _attempt(math.isqrt, wanted)
        case ast.BinOp(left=left, op=op, right=right) if is_number(wanted):
            for inner, other, swapped in ((left, right, False), (right, left, True)):
                yield from _solve_operand(inner, other, op, wanted, known, swapped)
        case ast.Call(func=ast.Name(id="len"), args=[_]) if type(wanted) is int and 0 <= wanted <= MAX_LENGTH:
            yield RequiredLength(wanted)
        case ast.Call(func=ast.Name(id=name), args=[inner, *_]) if name in _INVERSES:
            for value in _attempt(_INVERSES[name], wanted):
                yield from solve(inner, value, known)
        case ast.Call(func=ast.Attribute(value=inner, attr=attr), args=given):
            yield from _solve_method_call(inner, attr, given, wanted, known)
        case ast.Subscript(value=inner, slice=place):
            yield from _solve_subscript(inner, place, wanted, known)


def _solve_method_call(
    inner: ast.expr, attr: str, given: list[ast.expr], wanted: Any, known: dict[str, Any]
) -> Iterator[Any]:
    if attr == "get" and given:
        for key in folded(given[0], known):
            for entry in _attempt(lambda hashable: {hashable: wanted}, key):
                yield from solve(inner, entry, known)
    elif attr in ("count", "index", "find") and given:
        for first in folded(given[0], known) if type(wanted) is int and 0 <= wanted <= 100 else ():
            made = f"{' ' * wanted}{first}" if attr != "count" else f"{first}" * wanted
            yield from (made, [first] * wanted if attr == "count" else [0] * wanted + [first])
    elif isinstance(wanted, str) and attr in _CASE_AND_TRIM:
        for value in (wanted, wanted.swapcase(), f" {wanted}"):
            yield from solve(inner, value, known)
    elif attr in ("split", "splitlines") and isinstance(wanted, list) and all(isinstance(part, str) for part in wanted):
        yield from solve(inner, " ".join(wanted), known)


def _solve_subscript(inner: ast.expr, place: ast.expr, wanted: Any, known: dict[str, Any]) -> Iterator[Any]:
    if isinstance(place, ast.Slice):
        turned = _attempt(lambda value: value[::-1], wanted) if place.step is not None else [wanted]
        for value in turned:
            yield from solve(inner, value, known)
        return
    for key in folded(place, known):
        if isinstance(key, str | int | tuple):
            yield from solve(inner, {key: wanted}, known)
        if type(key) is int and -20 <= key < 20:
            size = key if key >= 0 else -key - 1
            row = [wanted] * (size + 1)
            yield from solve(inner, row, known)
            yield from solve(inner, tuple(row), known)
            if isinstance(wanted, str) and len(wanted) == 1:
                yield wanted * (size + 1)


def _solve_operand(
    inner: ast.expr, other: ast.expr, op: ast.operator, wanted: Any, known: dict[str, Any], swapped: bool
) -> Iterator[Any]:
    """Solve for one operand of a binary operation whose other operand is constant."""
    for by in filter(is_number, folded(other, known)):
        for values in _attempt(partial(_invert_operation, op, by=by, swapped=swapped), wanted):
            for found in values:
                yield from solve(inner, found, known)


def _invert_operation(op: ast.operator, value: Any, by: Any, swapped: bool) -> list[Any]:
    match op:
        case ast.Sub() if swapped:
            return [by - value]
        case ast.Mult():
            return [value // by if type(value) is type(by) is int else value / by]
        case ast.FloorDiv() | ast.Div():
            return [by // value] if swapped else [value * by]
        case ast.Mod() if not swapped:
            return [value, value + by, value + 5 * by]
        case ast.Pow() if not swapped:
            return [round(abs(value) ** (1 / by))]
        case ast.LShift() if not swapped:
            return [value >> by]
        case ast.RShift() if not swapped:
            return [value << min(by, 64)]
        case ast.BitAnd() | ast.BitOr():
            return [value]
        case _ if type(op) in _INVERSE_OPERATORS:
            return [_INVERSE_OPERATORS[type(op)](value, by)]
        case _:
            return []


_INVERSE_OPERATORS = {
    getattr(ast, one.name): BINARY[getattr(ast, one.inverse)]
    for one in select(lambda one: one.form is Form.OPERATOR and one.receiver == "int" and one.inverse != "")
    if one.parameters  # not of one operand
}
_CASE_AND_TRIM = methods("str", lambda one: one.kind in (Kind.CASE, Kind.TRIM))
_INVERSES: dict[str, Callable[[Any], Any]] = {
    "abs": lambda value: -value,
    "ord": chr,
    "chr": ord,
    "str": lambda value: int(value) if re.fullmatch(r"-?\d+", value) else float(value),
    "repr": ast.literal_eval,
    **dict.fromkeys(("int", "float"), str),
    **dict.fromkeys(("sum", "max", "min"), lambda value: [value]),
    **dict.fromkeys(("sorted", "list", "bool", "round"), lambda value: value),
    **dict.fromkeys(("tuple", "set"), list),
    "bin": lambda value: int(value, 2),
    "hex": lambda value: int(value, 16),
}


def _attempt(made: Callable[[Any], Any], value: Any) -> list[Any]:
    try:
        return [made(value)]
    except Exception:  # noqa: BLE001 - the inverse does not apply to this value
        return []
