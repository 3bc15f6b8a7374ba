"""Detects where a reference trace may differ from CPython 3.10, and says so in words.

The labels are conservative: a label means that a difference is possible, and only the causes below are detected.
`analyze.gold_trace.python310`, `reprs_310` and `messages` remove the differences that can be removed.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator

from analyze.gold_trace.case_ends import cases_with_line
from analyze.gold_trace.frames import Frame
from analyze.gold_trace.python310 import stays_inlined
from analyze.operations.catalogue import called, functions
from corpora.literals import parse_literal, parsed

SET_ORDER = "a set of values other than small ints may have another order (the hash of strings is not 3.10's)"
INLINED = "a comprehension that is asynchronous or binds a name by := has no frames of its own"
SEVERAL_ITEMS = "a `with` of several items may lack a LINE event at its end"
CASE_END = "a `case` that ends in an `if` or a loop may have or lack a LINE event at its end"
NEVER_STARTED = "closing a generator that was never started has no frames"

_TAKES_IN_ORDER = called(lambda one: one.keeps_order) - called(lambda one: not one.keeps_order)
_MAKES_SETS = functions(lambda one: one.result in ("set", "frozenset"))


def find_caveats(source: str, frames: Iterable[Frame]) -> tuple[str, ...]:
    """Returns the labels of a trace of this source, most important first; none if the source does not parse."""
    tree = parsed(source)
    return tuple(_found(list(ast.walk(tree)), frames)) if tree else ()


def _found(nodes: list[ast.AST], frames: Iterable[Frame]) -> Iterator[str]:
    if any(map(_takes_set_in_order, nodes)) or any(map(_shows_strings_of_set, _texts(frames))):
        yield SET_ORDER
    if any(isinstance(node, ast.With | ast.AsyncWith) and len(node.items) > 1 for node in nodes):
        yield SEVERAL_ITEMS
    if any(True for node in nodes for _ in cases_with_line(node)):
        yield CASE_END
    if sys.version_info < (3, 12):
        return
    if any(map(stays_inlined, nodes)):
        yield INLINED
    if any(isinstance(node, ast.Assign) and isinstance(node.value, ast.GeneratorExp) for node in nodes):
        yield NEVER_STARTED


def _texts(frames: Iterable[Frame]) -> Iterator[str]:
    for frame in frames:
        yield from (shown for _, shown in frame.state or ())
        if frame.value is not None:
            yield frame.value


def _takes_set_in_order(node: ast.AST) -> bool:
    """Whether a set is created and iterated over at once; sets held in names are visible in the states."""
    if isinstance(node, ast.For | ast.comprehension):
        return _makes_set(node.iter)
    if isinstance(node, ast.Call):
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        return name in _TAKES_IN_ORDER and any(map(_makes_set, node.args))
    return isinstance(node, ast.Starred) and _makes_set(node.value)


def _makes_set(node: ast.expr) -> bool:
    called = isinstance(node, ast.Call) and getattr(node.func, "id", "") in _MAKES_SETS
    return called or isinstance(node, ast.Set | ast.SetComp)


def _shows_strings_of_set(text: str) -> bool:
    """Whether a shown value is or holds a set with two or more elements that are not all ints."""
    if "{" not in text or not ("'" in text or '"' in text or "(" in text):
        return False
    try:
        value = parse_literal(text)
    except ValueError:
        return "frozenset({" in text or "{'" in text
    return _holds_set(value)


def _holds_set(value: object) -> bool:
    if isinstance(value, set | frozenset) and len(value) > 1 and not all(isinstance(item, int) for item in value):
        return True
    if isinstance(value, dict):
        return any(map(_holds_set, (*value, *value.values())))
    return isinstance(value, list | tuple | set | frozenset) and any(map(_holds_set, value))
