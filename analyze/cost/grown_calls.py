"""Builds calls with one argument grown or shrunk, for `analyze.cost.growth` and `analyze.cost.fitting`."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from itertools import count, islice
from typing import Any

from corpora.literals import UNPARSABLE

ALL = "all"
"""The name of all containers together."""


@dataclass(frozen=True)
class GrowableArgument:
    """An argument of a call that can be grown.

    Attributes:
        name: The argument as the call writes it, or "all" for all containers together.
        size: Its length, or its value if it is a number.
        at: Returns the call with the argument at another size, which must be at least 1.
    """

    name: str
    size: int
    at: Callable[[int], str]


def growable_arguments(call: str) -> Iterator[GrowableArgument]:
    """Yields the arguments of a call that can be grown, in order; then all containers together if there are several.

    An argument can be grown if it is a literal: a non-empty string, bytes, list, tuple, set or dict, or a positive int.
    Sequences are repeated. Sets and dicts get new members; theirs must be strings and ints.
    """
    try:
        tree = ast.parse(call, mode="eval")
    except UNPARSABLE:
        return
    if not isinstance(tree.body, ast.Call):
        return
    arguments = [*tree.body.args, *(keyword.value for keyword in tree.body.keywords)]
    found = [(at, value) for at, node in enumerate(arguments) if _can_grow(value := _literal(node))]
    for at, value in found:
        yield GrowableArgument(ast.unparse(arguments[at]), _size(value), _maker(tree, [(at, value)], _size(value)))
    containers = [(at, value) for at, value in found if not isinstance(value, int)]
    if len(containers) > 1:
        size = max(_size(value) for _, value in containers)
        yield GrowableArgument(ALL, size, _maker(tree, containers, size))


def resized(value: Any, size: int) -> Any:
    """Returns a value of the same type with another size.

    >>> resized("abc", 5), resized((1, 2), 1), resized({"a": 1}, 3), resized({4, 5}, 3)
    ('abcab', (1,), {'a': 1, 'a2': 1, 'a3': 1}, {4, 5, 6})
    """
    if isinstance(value, int):
        return size
    if isinstance(value, dict):
        shown = list(value.values())
        return {key: shown[at % len(shown)] for at, key in enumerate(_members(list(value), size))}
    if isinstance(value, set):
        return set(_members(sorted(value, key=str), size))
    return (value * (size // len(value) + 1))[:size]


def _literal(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None


def _can_grow(value: Any) -> bool:
    if isinstance(value, set | dict):
        return bool(value) and all(type(key) in (int, str) for key in value)
    if type(value) is int:
        return value > 0
    return isinstance(value, str | bytes | list | tuple) and len(value) > 0


def _size(value: Any) -> int:
    return value if isinstance(value, int) else len(value)


def _members(members: list[Hashable], size: int) -> list[Hashable]:
    """Returns `size` distinct members: the given ones, then strings with a number and ints above the largest."""
    last = max((member for member in members if isinstance(member, int)), default=0)
    new: Iterator[Hashable] = (
        last + turn if isinstance(member, int) else f"{member}{turn + 1}" for turn in count(1) for member in members
    )
    distinct = dict.fromkeys(members)
    while len(distinct) < size:
        distinct[next(new)] = None
    return list(islice(distinct, size))


def _maker(tree: ast.Expression, chosen: list[tuple[int, Any]], own: int) -> Callable[[int], str]:
    def at(size: int) -> str:
        made = copy.deepcopy(tree)
        assert isinstance(made.body, ast.Call)
        for place, value in chosen:
            new = ast.parse(repr(resized(value, max(1, round(_size(value) * size / own)))), mode="eval").body
            if place < len(made.body.args):
                made.body.args[place] = new
            else:
                made.body.keywords[place - len(made.body.args)].value = new
        return ast.unparse(made)

    return at
