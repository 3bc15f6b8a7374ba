"""Observed identity: whether a module may tell equal values apart as objects.

`s[:] is s` holds for a string, and not for the same characters joined. A comparison with None, True, False or `...`, or
of the type of a value, tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst

from rewrite.analysis.effects import CONSTANTS
from rewrite.syntax.tree import walk

_IDENTITY = frozenset(
    {"id", "is_", "is_not", "getrefcount", "object", "gc", "ctypes"}
    | {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "multiprocessing"}
)
"""Names of what may tell equal values apart: it compares or counts them as objects, or writes each object once."""


def observes_identity(statements: Iterable[cst.CSTNode]) -> bool:
    """Whether statements may tell equal values apart by their identity.

    >>> def observed(*code): return observes_identity([cst.parse_statement(one) for one in code])
    >>> observed("a is b"), observed("id(a)"), observed("type = str", "type(a) is b")
    (True, True, True)
    >>> observed("a is not None"), observed("type(a) is b")
    (False, False)
    """
    nodes = [node for statement in statements for node in walk(statement)]
    called = {id(node.func) for node in nodes if isinstance(node, cst.Call)}
    other = (node for node in nodes if isinstance(node, cst.ImportStar) or _is_name(node, "type"))
    shows_types = all(id(node) in called for node in other)  # nothing else has the name `type`
    return any(_is_identity(node, shows_types) for node in nodes)


def _is_identity(node: cst.CSTNode, shows_types: bool) -> bool:
    match node:
        case cst.Name(value=name):
            return name in _IDENTITY
        case cst.SimpleString(value=text):  # of `getattr`
            return text.strip("rbuRBU'\"") in _IDENTITY
        case cst.Comparison(left=cst.Call(func=function, args=[_]), comparisons=[_]) if shows_types:
            return not _is_name(function, "type") and _compares_objects(node)
        case cst.Comparison():
            return _compares_objects(node)
    return False


def _compares_objects(node: cst.Comparison) -> bool:
    compared = (one.comparator for one in node.comparisons if isinstance(one.operator, cst.Is | cst.IsNot))
    return not all(isinstance(one, cst.Ellipsis) or _is_constant_name(one) for one in compared)


def _is_constant_name(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and node.value in CONSTANTS


def _is_name(node: cst.CSTNode, name: str) -> bool:
    return isinstance(node, cst.Name) and node.value == name
