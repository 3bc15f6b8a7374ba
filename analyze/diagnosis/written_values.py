"""The values that reprs and answers stand for, and whether two of them are equal.

A repr is a literal, or the call of a class such as `Counter({'a': 1})`. An answer may also be an expression of
literals such as `4 / 2`, since benchmarks execute `assert f(3) == answer`. Nothing is run: what
`analyze.operations.constant_folding` cannot compute has no value.
"""

from __future__ import annotations

import ast
import builtins
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from analyze.operations.constant_folding import PURE_FUNCTIONS, folded
from corpora.literals import SetCalls, parse_literal, parse_quietly

_NAMED = {"inf": math.inf, "nan": math.nan}
"""Numbers whose repr is a name."""
_NUMBERS: dict[str, Callable[..., object]] = {"Decimal": Decimal, "Fraction": Fraction}
"""Classes of numbers, of which equal ones may be written in several ways."""
_CLASS = re.compile(r"<class '([\w.]+)'>")
_FAILURES = (SyntaxError, ValueError, TypeError, RecursionError, MemoryError)


@dataclass(frozen=True)
class Instance:
    """A value that is written as the call of its class.

    Attributes:
        name: the name of the class without its module.
        arguments: positional arguments.
        keywords: keyword arguments, by name.
    """

    name: str
    arguments: tuple[Any, ...] = ()
    keywords: tuple[tuple[str, Any], ...] = ()

    def __hash__(self) -> int:
        """By the name alone, since an argument may be a list."""
        return hash(self.name)


@dataclass(frozen=True)
class WrittenValue:
    """A value that was read from text.

    Attributes:
        value: the value; an `Instance` stands for an instance of another class than a builtin one.
        notations: for each `Instance` in it, the name of its class, the types of its arguments and its keywords.
    """

    value: object
    notations: frozenset[tuple[str, ...]] = frozenset()


def read_repr(text: str) -> WrittenValue | None:
    """The value of a literal, or of calls of classes with literals as arguments; None for any other text.

    >>> read_repr("deque([1, 2])").value
    Instance(name='deque', arguments=([1, 2],), keywords=())
    >>> read_repr("1 + 1")
    """
    try:
        return WrittenValue(parse_literal(text))
    except ValueError:
        pass
    try:
        tree, notations = _parsed(text)
        return WrittenValue(ast.literal_eval(tree), notations)
    except _FAILURES:
        return None


def read_answer_value(text: str) -> WrittenValue | None:
    """The value of a repr, or of a constant expression whose value is not large; None for any other text.

    >>> [read_answer_value(text).value for text in ("4 / 2", "'ab' * 2", "sorted([2, 1])")]
    [2.0, 'abab', [1, 2]]
    """
    found = read_repr(text)
    if found is not None:
        return found
    try:
        tree, notations = _parsed(text)
    except _FAILURES:
        return None
    return next((WrittenValue(value, notations) for value in folded(tree, {})), None)


def _parsed(text: str) -> tuple[ast.expr, frozenset[tuple[str, ...]]]:
    """The tree of an expression whose calls of classes are constants, and the notations of these calls."""
    try:
        tree = parse_quietly(text.lstrip(" \t"), "eval")
    except SyntaxError:
        tree = parse_quietly(_CLASS.sub(r"\1", text.lstrip(" \t")), "eval")
    calls = _InstanceCalls()
    return calls.visit(tree).body, frozenset(calls.notations)


class _InstanceCalls(SetCalls):
    """Replaces the calls of classes with literals as arguments by constants."""

    def __init__(self) -> None:
        self.notations: set[tuple[str, ...]] = set()

    def visit_Name(self, node: ast.Name) -> ast.AST:  # noqa: N802
        """The number for a name that is the repr of one."""
        return ast.copy_location(ast.Constant(_NAMED[node.id]), node) if node.id in _NAMED else node

    def visit_Call(self, node: ast.Call) -> ast.AST:  # noqa: N802
        """The instance as a constant; the call itself if its arguments are no literals, or it is of a function."""
        try:
            made = super().visit_Call(node)
            name = _class_name(node.func)
            if made is not node or not name:
                return made
            given = tuple(map(_argument, node.args))
            keywords = tuple(sorted((keyword.arg or "", _argument(keyword.value)) for keyword in node.keywords))
            if name in _NUMBERS:
                return ast.copy_location(ast.Constant(_number(name, given)), node)
        except (ValueError, TypeError, ArithmeticError):
            return node
        self.notations.add((name, *(type(value).__name__ for value in given), *(word for word, _ in keywords)))
        if name == "OrderedDict" and given and isinstance(given[0], dict):
            given = ([*given[0].items()], *given[1:])  # its order matters, and this is its repr up to Python 3.11
        instance: Any = Instance(name, given, keywords)
        return ast.copy_location(ast.Constant(instance), node)


def _number(name: str, given: tuple[object, ...]) -> Any:
    """The number of a class of `_NUMBERS`. Raises ValueError for one that takes long or cannot be compared."""
    if name == "Fraction" and not all(isinstance(part, int) for part in given):
        raise ValueError(given)  # `Fraction('1e999999999')` is a fraction of large integers
    number = _NUMBERS[name](*given)
    if isinstance(number, Decimal) and number.is_snan():
        raise ValueError(number)
    return number


def _argument(node: ast.expr) -> object:
    """The value of a literal, or of the name of a class. Raises ValueError for any other expression."""
    name = _dotted_name(node)
    return Instance(name) if name else ast.literal_eval(node)


def _class_name(node: ast.expr) -> str:
    """The name of the class that is called; "" for a builtin function, or a class with literals of its own."""
    name = _dotted_name(node)
    known = getattr(builtins, name, type)
    return name if isinstance(known, type) and name not in PURE_FUNCTIONS else ""


def _dotted_name(node: ast.expr) -> str:
    """The last part of a name such as `collections.Counter`; "" for any other expression."""
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    return getattr(node, "id", getattr(node, "attr", "")) if isinstance(root, ast.Name) else ""


@dataclass(frozen=True)
class _TypedItem:
    """An item of a set or a key of a dictionary, which equals those of the same type only: 1 is not True."""

    value: object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _TypedItem) and are_equal(self.value, other.value)

    def __hash__(self) -> int:
        return hash(self.value)


def are_equal(one: object, other: object) -> bool:
    """Whether two values are of the same type and equal, with all that they contain. NaN equals NaN."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict) and isinstance(other, dict):
        pairs = {_TypedItem(key): value for key, value in other.items()}
        return len(one) == len(other) and all(
            (typed := _TypedItem(key)) in pairs and are_equal(value, pairs[typed]) for key, value in one.items()
        )
    if isinstance(one, set | frozenset) and isinstance(other, set | frozenset):
        return set(map(_TypedItem, one)) == set(map(_TypedItem, other))
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(are_equal, one, other))
    if isinstance(one, Instance) and isinstance(other, Instance):
        return are_equal(_parts(one), _parts(other))
    return one == other or (one != one and other != other)


def _parts(instance: Instance) -> tuple[object, ...]:
    return instance.name, instance.arguments, instance.keywords
