"""Looks operations up in the catalogue, and selects them.

Two questions about a name are different. `find` takes the type of the receiver, so its answer is certain as far as that
type is. `candidates` takes the name or the syntax alone, and returns all operations that it may be.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache

from analyze.operations.builtins import OPERATIONS as _FUNCTIONS
from analyze.operations.bytes import OPERATIONS as _OF_BYTES
from analyze.operations.dict import OPERATIONS as _OF_DICTS
from analyze.operations.formatting import OPERATIONS as _FORMATTING
from analyze.operations.list import OPERATIONS as _OF_LISTS
from analyze.operations.numbers import OPERATIONS as _OF_NUMBERS
from analyze.operations.operation import Form, Operation
from analyze.operations.operators import OPERATIONS as _OPERATORS
from analyze.operations.set import OPERATIONS as _OF_SETS
from analyze.operations.str import OPERATIONS as _OF_STRINGS
from analyze.operations.subscripts import OPERATIONS as _SUBSCRIPTS
from analyze.operations.tuple import OPERATIONS as _OF_TUPLES

OPERATIONS: tuple[Operation, ...] = (
    *_OF_STRINGS,
    *_OF_LISTS,
    *_OF_DICTS,
    *_OF_SETS,
    *_OF_TUPLES,
    *_OF_NUMBERS,
    *_OF_BYTES,
    *_FUNCTIONS,
    *_OPERATORS,
    *_SUBSCRIPTS,
    *_FORMATTING,
)
"""All entries. Where several types have an operation, that of `str` comes first."""

_SUPERTYPES = {"bool": "int", "char": "str"}
_OPERATOR_FORMS = (Form.OPERATOR, Form.BOOLEAN)


def find(name: str, receiver: str = "", form: Form | None = None) -> Operation | None:
    """Returns the operation of a name on a type; None if there is none.

    Args:
        name: Its name, as in `Operation`.
        receiver: The exact type of the receiver or left operand, "char" for a string of length one (default: none, as
            for a builtin function).
        form: How it is written (default: as a method if there is a receiver, else as a call or an operator on any
            type).

    Example:
        >>> find("find", "str").result, find("len").word, find("find", "list")
        ('int', 'length', None)
        >>> find("Add", "str", Form.OPERATOR).word
        'combined'
    """
    forms = (form,) if form else (Form.METHOD,) if receiver else (Form.CALL, *_OPERATOR_FORMS)
    kind: str | None = receiver
    while kind is not None:
        for one in forms:
            if (one, name, kind) in _by_key():
                return _by_key()[one, name, kind]
        kind = _SUPERTYPES.get(kind)
    return find(name, "", form) if receiver and form else None


def candidates(node: ast.AST | str) -> tuple[Operation, ...]:
    """Returns all operations that a name, or a node of a syntax tree, may be; one for each type that has it.

    Args:
        node: A name, or a call, operator, comparison, subscript or f-string. Only its outermost operation counts, of a
            chain the first.

    Example:
        >>> [str(one) for one in candidates(ast.parse("a.count(b)", mode="eval").body)][:2]
        ['str.count', 'list.count']
    """
    match node:
        case str():
            return _named().get(node, ())
        case ast.Call(func=ast.Attribute(attr=name)):
            return _formed(name, Form.METHOD)
        case ast.Call(func=ast.Name(id=name)):
            return _formed(name, Form.CALL)
        case ast.BinOp(op=op) | ast.UnaryOp(op=op) | ast.Compare(ops=[op, *_]):
            return _formed(type(op).__name__, Form.OPERATOR)
        case ast.BoolOp(op=op):
            return _formed(type(op).__name__, Form.BOOLEAN)
        case ast.AugAssign(op=op):
            return _formed(type(op).__name__, Form.AUGMENTED) + _formed(type(op).__name__, Form.OPERATOR)
        case ast.Subscript(slice=index):
            return _formed("slice", Form.SLICE) if isinstance(index, ast.Slice) else _formed("item", Form.ITEM)
        case ast.JoinedStr():
            return _formed("f-string", Form.FORMAT)
    return ()


def _formed(name: str, form: Form) -> tuple[Operation, ...]:
    return tuple(one for one in _named().get(name, ()) if one.form is form)


def select(holds: Callable[[Operation], bool]) -> tuple[Operation, ...]:
    """Returns the operations for which a predicate holds."""
    return tuple(filter(holds, OPERATIONS))


def methods(receiver: str, holds: Callable[[Operation], bool] = lambda one: True) -> frozenset[str]:
    """Returns the names of the methods of a type for which a predicate holds.

    Example:
        >>> sorted(methods("set", lambda one: one.mutates is None and one.result == "bool"))
        ['isdisjoint', 'issubset', 'issuperset']
    """
    return _names(lambda one: one.form is Form.METHOD and one.receiver == receiver and holds(one))


def functions(holds: Callable[[Operation], bool] = lambda one: True) -> frozenset[str]:
    """Returns the names of the builtin functions, types among them, for which a predicate holds."""
    return _names(lambda one: one.form is Form.CALL and holds(one))


def called(holds: Callable[[Operation], bool]) -> frozenset[str]:
    """Returns the names of methods of any type and of functions for which a predicate holds on at least one type."""
    return _names(lambda one: one.form in (Form.METHOD, Form.CALL) and holds(one))


def operator_result(name: str, left: str, right: str) -> str | None:
    """Returns the exact type of the result of a binary operator; None if the operands' types do not determine it.

    Args:
        name: The name of the operator in `ast`.
        left: The exact type of the left operand.
        right: That of the right operand.

    Example:
        >>> operator_result("Mult", "int", "str"), operator_result("Sub", "bool", "float")
        ('str', 'float')
        >>> operator_result("Pow", "int", "int")  # a negative exponent gives a float
    """
    both = ((left, right), (right, left)) if {left, right} & {"int", "bool", "float", "complex"} else ((left, right),)
    for receiver, other in both:
        one = find(name, receiver, Form.OPERATOR)
        if one is None or not one.receiver or not one.has_plain_result or not one.arguments:
            continue
        taken = one.parameters[0].type.split(" | ")
        if {other, _SUPERTYPES.get(other, other)} & {*taken} and " | " not in one.result:
            return one.result
    return None


def operators(holds: Callable[[Operation], bool] = lambda one: True) -> frozenset[str]:
    """Returns the names, in `ast`, of the operators for which a predicate holds on some type."""
    return _names(lambda one: one.form in _OPERATOR_FORMS and holds(one))


def _names(holds: Callable[[Operation], bool]) -> frozenset[str]:
    return frozenset(one.name for one in OPERATIONS if holds(one))


@cache
def _by_key() -> dict[tuple[Form, str, str], Operation]:
    return {(one.form, one.name, one.receiver): one for one in OPERATIONS}


@cache
def _named() -> dict[str, tuple[Operation, ...]]:
    found: dict[str, tuple[Operation, ...]] = {}
    for one in OPERATIONS:
        found[one.name] = (*found.get(one.name, ()), one)
    return found
