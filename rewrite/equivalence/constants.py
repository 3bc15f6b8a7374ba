"""What a program compares its inputs with, as far as its text says so: constants, computed ones among them, and more.

`Ideas.of` reads syntax and folds what is made of literals by a few harmless operations of bounded size; no program is
run. An idea is a value that an argument, or a part of it, might need to have to reach some place.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rewrite.equivalence.special_values import of_pattern, special_numbers, special_strings

LARGEST_TEXT = 2_000
LARGEST_BITS = 256


class UnknownError(Exception):
    """An expression whose value its text does not tell."""


@dataclass(frozen=True)
class Ideas:
    """values: constants and what would make a comparison with one true; lengths; names of types; regular expressions.

    strings: what operations of the program treat in a special way, alone or inside another string; numbers: likewise.
    Each in the order of the text, and once.
    """

    values: tuple[Any, ...] = ()
    lengths: tuple[int, ...] = ()
    types: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    strings: tuple[str, ...] = ()
    numbers: tuple[int | float, ...] = ()

    @staticmethod
    def of(tree: ast.AST, *others: ast.AST) -> Ideas:
        """The ideas in one program. others: programs that are run on the same inputs."""
        known = _bound_once(tree)
        found, skipped = _Found(known), _docstrings(tree)
        for node in ast.walk(tree):
            if id(node) not in skipped:
                found.look(node)
        return Ideas(
            _once(found.values),
            tuple(dict.fromkeys(found.lengths)),
            _once(found.types),
            _once(found.patterns),
            _once(found.strings),
            _once(special_numbers(tree, *others)),
        )

    def without(self, other: Ideas) -> Ideas:
        """Those that the other has not."""
        return Ideas(
            _but(self.values, other.values),
            _but(self.lengths, other.lengths),
            _but(self.types, other.types),
            _but(self.patterns, other.patterns),
            _but(self.strings, other.strings),
            _but(self.numbers, other.numbers),
        )

    def plus(self, other: Ideas) -> Ideas:
        """These and those."""
        return Ideas(
            _once([*self.values, *other.values]),
            _once([*self.lengths, *other.lengths]),
            _once([*self.types, *other.types]),
            _once([*self.patterns, *other.patterns]),
            _once([*self.strings, *other.strings]),
            _once([*self.numbers, *other.numbers]),
        )


def _once(values: list[Any]) -> tuple[Any, ...]:
    return tuple({repr(value): value for value in values}.values())


def _but(values: tuple[Any, ...], others: tuple[Any, ...]) -> tuple[Any, ...]:
    known = set(map(repr, others))
    return tuple(value for value in values if repr(value) not in known)


class _Found:
    def __init__(self, known: dict[str, Any]) -> None:
        self.known = known
        self.values: list[Any] = []
        self.lengths: list[int] = []
        self.types: list[str] = []
        self.patterns: list[str] = []
        self.strings: list[str] = []

    def look(self, node: ast.AST) -> None:
        match node:
            case ast.Compare(left=left, comparators=others):
                for one, other in zip([left, *others], others, strict=False):
                    self._compared(one, other)
                    self._compared(other, one)
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kinds]):
                self._kinds(kinds)
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re" | "regex"), attr=_), args=[ast.expr() as first, *_]
            ):
                self._pattern(first)
            case ast.Call(
                func=ast.Attribute(value=value, attr="startswith" | "endswith" | "get" | "count"), args=[of, *_]
            ):
                self._solved(value, of)
            case ast.MatchClass(cls=kind):
                self._kinds(kind)
            case ast.MatchMapping(keys=keys):
                self._add({known: 1 for key in keys for known in self._folded(key)})
            case ast.MatchSequence(patterns=parts):
                self.lengths += [len(parts), len(parts) - 1]
            case _:
                pass
        if isinstance(node, ast.expr):
            self.strings += special_strings(node)
            for value in self._folded(node):
                self._add(value)

    def _add(self, value: Any) -> None:
        if not isinstance(value, bool | type(None) | type(...)) and value not in ("", b"", (), [], {}):
            self.values.append(value)

    def _folded(self, node: ast.expr) -> list[Any]:
        try:
            return [fold(node, self.known)]
        except UnknownError:
            return []

    def _compared(self, node: ast.expr, other: ast.expr) -> None:
        self._solved(node, other)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type":
            self._kinds(other)
        if isinstance(node, ast.Attribute) and node.attr == "__class__":
            self._kinds(other)

    def _solved(self, node: ast.expr, other: ast.expr) -> None:
        for value in self._folded(other):
            members = value if isinstance(value, list | tuple | set | frozenset | dict) else ()
            for wanted in (value, *list(members)[:12]):
                for solution in solve(node, wanted, self.known):
                    if isinstance(solution, Length):
                        self.lengths += [solution.size, solution.size + 1, solution.size - 1]
                    else:
                        self._add(solution)

    def _kinds(self, node: ast.expr) -> None:
        names = [part.attr if isinstance(part, ast.Attribute) else getattr(part, "id", "") for part in ast.walk(node)]
        self.types += [name for name in names if name]

    def _pattern(self, node: ast.expr) -> None:
        for value in self._folded(node):
            if isinstance(value, str):
                try:
                    re.compile(value)
                except (re.error, RecursionError, OverflowError):
                    continue
                self.patterns.append(value)
                self.strings += of_pattern(value)


@dataclass(frozen=True)
class Length:
    """A length that something should have."""

    size: int


def solve(node: ast.expr, wanted: Any, known: dict[str, Any]) -> Iterator[Any]:
    """What a name inside an expression might be for the expression to be `wanted`; guesses, none of them sure.

    >>> list(solve(ast.parse("2 * n + 1", mode="eval").body, 9423, {}))
    [4711]
    """
    match node:
        case ast.Name():
            yield wanted
        case ast.UnaryOp(op=ast.USub(), operand=inner) if _is_number(wanted):
            yield from solve(inner, -wanted, known)
        case ast.BinOp(left=ast.Name(id=left), op=ast.Mult(), right=ast.Name(id=right)) if left == right:
            yield from _tried(math.isqrt, wanted)
        case ast.BinOp(left=left, op=op, right=right) if _is_number(wanted):
            for inner, other, swapped in ((left, right, False), (right, left, True)):
                yield from _unmade(inner, other, op, wanted, known, swapped)
        case ast.Call(func=ast.Name(id="len"), args=[_]) if type(wanted) is int and 0 <= wanted <= LARGEST_TEXT:
            yield Length(wanted)
        case ast.Call(func=ast.Name(id=name), args=[inner, *_]) if name in _INVERSES:
            for value in _tried(_INVERSES[name], wanted):
                yield from solve(inner, value, known)
        case ast.Call(func=ast.Attribute(value=inner, attr=attr), args=given):
            yield from _method(inner, attr, given, wanted, known)
        case ast.Subscript(value=inner, slice=place):
            yield from _indexed(inner, place, wanted, known)
        case _:
            return


def _method(inner: ast.expr, attr: str, given: list[ast.expr], wanted: Any, known: dict[str, Any]) -> Iterator[Any]:
    if attr in ("get", "count", "index", "find") and given:
        try:
            first = fold(given[0], known)
        except UnknownError:
            return
        if attr == "get":
            for value in _tried(lambda value: {first: value}, wanted):
                yield from solve(inner, value, known)
        elif type(wanted) is int and 0 <= wanted <= 100:
            made = f"{' ' * wanted}{first}" if attr != "count" else f"{first}" * wanted
            yield from (made, [first] * wanted if attr == "count" else [0] * wanted + [first])
    elif isinstance(wanted, str) and attr in ("lower", "upper", "strip", "casefold", "title", "swapcase", "capitalize"):
        for value in (wanted, wanted.swapcase(), f" {wanted}"):
            yield from solve(inner, value, known)
    elif attr in ("split", "splitlines") and isinstance(wanted, list) and all(isinstance(part, str) for part in wanted):
        yield from solve(inner, " ".join(wanted), known)


def _indexed(inner: ast.expr, place: ast.expr, wanted: Any, known: dict[str, Any]) -> Iterator[Any]:
    if isinstance(place, ast.Slice):
        turned = _tried(lambda value: value[::-1], wanted) if place.step is not None else [wanted]
        for value in turned:
            yield from solve(inner, value, known)
        return
    try:
        key = fold(place, known)
    except UnknownError:
        return
    if isinstance(key, str | int | tuple):
        yield from solve(inner, {key: wanted}, known)
    if type(key) is int and -20 <= key < 20:
        size = key if key >= 0 else -key - 1
        row = [wanted] * (size + 1)
        yield from solve(inner, row, known)
        yield from solve(inner, tuple(row), known)
        if isinstance(wanted, str) and len(wanted) == 1:
            yield wanted * (size + 1)


def _unmade(
    inner: ast.expr, other: ast.expr, op: ast.operator, wanted: Any, known: dict[str, Any], swapped: bool
) -> Iterator[Any]:
    """The operand of a binary operation, where the other one is known."""
    try:
        by = fold(other, known)
    except UnknownError:
        return
    if not _is_number(by):
        return
    for value in _tried(lambda value: _undone(op, value, by, swapped), wanted):
        for found in value:
            yield from solve(inner, found, known)


def _undone(op: ast.operator, value: Any, by: Any, swapped: bool) -> list[Any]:
    match op:
        case ast.Add():
            return [value - by]
        case ast.Sub():
            return [by - value if swapped else value + by]
        case ast.Mult():
            return [value // by if type(value) is type(by) is int else value / by]
        case ast.FloorDiv() | ast.Div():
            return [by // value] if swapped else [value * by]
        case ast.Mod() if not swapped:
            return [value, value + by, value + 5 * by]
        case ast.Pow() if not swapped:
            return [round(abs(value) ** (1 / by))]
        case ast.BitXor():
            return [value ^ by]
        case ast.LShift() if not swapped:
            return [value >> by]
        case ast.RShift() if not swapped:
            return [value << min(by, 64)]
        case ast.BitAnd() | ast.BitOr():
            return [value]
        case _:
            return []


_INVERSES: dict[str, Callable[[Any], Any]] = {
    "abs": lambda value: -value,
    "ord": chr,
    "chr": ord,
    "str": lambda value: int(value) if re.fullmatch(r"-?\d+", value) else float(value),
    "repr": lambda value: ast.literal_eval(value),
    "int": str,
    "float": str,
    "sum": lambda value: [value],
    "max": lambda value: [value],
    "min": lambda value: [value],
    "sorted": lambda value: value,
    "list": lambda value: value,
    "tuple": lambda value: list(value),
    "set": lambda value: list(value),
    "bool": lambda value: value,
    "round": lambda value: value,
    "bin": lambda value: int(value, 2),
    "hex": lambda value: int(value, 16),
}


def _tried(made: Callable[[Any], Any], value: Any) -> list[Any]:
    try:
        return [made(value)]
    except Exception:  # noqa: BLE001 - a guess that does not fit is none
        return []


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
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
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}
_PURE: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (len, ord, chr, int, str, float, abs, min, max, sum, round, tuple, list, set, frozenset, sorted)
}
_METHODS = {
    *("upper", "lower", "title", "strip", "lstrip", "rstrip", "swapcase", "join", "split", "encode", "casefold")
}


def fold(node: ast.expr, known: dict[str, Any]) -> Any:
    """The value of an expression of literals and known names. Raises UnknownError where it has none, or a large one.

    >>> fold(ast.parse("47 * 100 + int('11')", mode="eval").body, {})
    4711
    """
    try:
        value = _value(node, known)
    except UnknownError:
        raise
    except Exception:  # noqa: BLE001 - whatever an operation does not like
        raise UnknownError from None
    if isinstance(value, int) and value.bit_length() > LARGEST_BITS:
        raise UnknownError
    if isinstance(value, str | bytes | list | tuple | dict | set | frozenset) and len(value) > LARGEST_TEXT:
        raise UnknownError
    return value


def _value(node: ast.expr, known: dict[str, Any]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) if name in known:
            return known[name]
        case ast.UnaryOp(op=op, operand=inner) if type(op) in _UNARY:
            return _UNARY[type(op)](fold(inner, known))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _made(op, fold(left, known), fold(right, known))
        case ast.Tuple(elts=parts):
            return tuple(fold(part, known) for part in parts)
        case ast.List(elts=parts):
            return [fold(part, known) for part in parts]
        case ast.Set(elts=parts):
            return {fold(part, known) for part in parts}
        case ast.Dict(keys=keys, values=values) if all(keys):
            return {fold(key, known): fold(held, known) for key, held in zip(keys, values, strict=True) if key}
        case ast.Call(func=ast.Name(id=name), args=given, keywords=[]) if name in _PURE:
            return _PURE[name](*[fold(part, known) for part in given])
        case ast.Call(func=ast.Attribute(value=inner, attr=attr), args=given, keywords=[]) if attr in _METHODS:
            text = fold(inner, known)
            if isinstance(text, str | bytes):
                return getattr(text, attr)(*[fold(part, known) for part in given])
        case ast.Subscript(value=inner, slice=place) if not isinstance(place, ast.Slice):
            return fold(inner, known)[fold(place, known)]
        case _:
            pass
    raise UnknownError


def _made(op: ast.operator, left: Any, right: Any) -> Any:
    if isinstance(op, ast.Mult) and not (_is_number(left) and _is_number(right)):
        sizes = [value if isinstance(value, int) else len(value) for value in (left, right)]
        if sizes[0] * sizes[1] > LARGEST_TEXT:
            raise UnknownError
    if isinstance(op, ast.Pow | ast.LShift) and (abs(right) > LARGEST_BITS or abs(left) > 1 << 64):
        raise UnknownError
    if isinstance(op, ast.Mod) and isinstance(left, str | bytes):
        raise UnknownError  # `'%999999999d' % 1` is a large one
    return _BINARY[type(op)](left, right)


def _bound_once(tree: ast.AST) -> dict[str, Any]:
    """Names that are bound at one place only, and there to a constant."""
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
        if bound[name] == 1:
            try:
                known[name] = fold(value, known)
            except UnknownError:
                continue
    return known


def _docstrings(tree: ast.AST) -> set[int]:
    """Texts that stand as statements of their own."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
