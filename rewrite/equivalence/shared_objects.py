"""Calls that pass one object in several places: as two arguments, and as an item of an argument.

Identity shows where equality does not: `x in xs` finds a NaN that is the same object, and a list that is changed
through one argument changes in the other one. No program is run.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

from rewrite.equivalence.call_templates import SHARED, CallTemplate, call_template, parsed_expression

MAX_PAIRS = 3
Path = tuple[Any, ...]
"""The places of a value: the argument, then the index or key in each container."""


def calls_with_shared_objects(bases: Sequence[str]) -> list[str]:
    """Return sample calls with one object in several places.

    >>> calls_with_shared_objects(["f([1], [[2]])"])
    ['(lambda shared: f(shared, shared))([1])', '(lambda shared: f(shared, [shared]))([1])']
    >>> calls_with_shared_objects(["f(1.0, [1.0, 2.0])"])[0]
    '(lambda shared: f(shared, [shared, shared]))((1e999 - 1e999))'
    """
    shapes = [call_template(base) for base in bases if without_sharing(base) == base]
    numbers = [call for known in shapes for call in _with_one_nan(known)]
    containers = [call for known in shapes for call in itertools.islice(_with_one_container(known), MAX_PAIRS)]
    rows = itertools.zip_longest(dict.fromkeys(numbers), dict.fromkeys(containers))
    return [call for row in rows for call in row if call]


def without_sharing(call: str) -> str:
    """Return a call with an object of its own in each place; the call itself if it shares none.

    >>> without_sharing("(lambda shared: f(shared, 2, [shared]))([1])"), without_sharing("f(1)")
    ('f([1], 2, [[1]])', 'f(1)')
    """
    match parsed_expression(call):
        case ast.Call(func=ast.Lambda(args=ast.arguments(args=[ast.arg(arg=SHARED.text)]), body=body), args=[value]):

            class Filler(ast.NodeTransformer):
                def visit_Name(self, node: ast.Name) -> ast.expr:
                    return value if node.id == SHARED.text else node

            return ast.unparse(Filler().visit(body))
    return call


def _with_one_nan(known: CallTemplate) -> Iterator[str]:
    """The call with one NaN as all floats, and as the last one of each argument; nothing for less than two floats."""
    paths = [path for path, value in _parts(known.values) if type(value) is float]
    if len(paths) > 1:
        last = {path[0]: path for path in paths}
        for places in (paths, [*last.values()]):
            yield known.fill_sharing(_with_shared(known.values, places), math.nan)


def _with_one_container(known: CallTemplate) -> Iterator[str]:
    """The call with one container in two places that have such a type; first those in different arguments."""
    parts = [(path, value) for path, value in _parts(known.values) if type(value) in (list, dict, set)]
    pairs = [pair for pair in itertools.combinations(parts, 2) if _may_be_one(*pair)]
    for (path, value), (other, _) in sorted(pairs, key=lambda pair: pair[0][0][0] == pair[1][0][0]):
        yield known.fill_sharing(_with_shared(known.values, [path, other]), value)


def _may_be_one(one: tuple[Path, Any], other: tuple[Path, Any]) -> bool:
    (path, value), (place, held) = one, other
    return type(value) is type(held) and place[: len(path)] != path


def _parts(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Each value in a container with its path, without keys and members of sets."""
    places = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list | tuple) else ()
    for place, part in places:
        yield (*path, place), part
        yield from _parts(part, (*path, place))


def _with_shared(value: Any, paths: Sequence[Path]) -> Any:
    """A copy of a container with the shared object at some paths."""
    if () in paths:
        return SHARED
    inner = {place: [path[1:] for path in paths if path[0] == place] for place in (path[0] for path in paths)}
    if isinstance(value, dict):
        return {key: _with_shared(part, inner[key]) if key in inner else part for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_with_shared(part, inner[at]) if at in inner else part for at, part in enumerate(value))
    return value
