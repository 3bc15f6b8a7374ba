"""Asynchronous comprehensions: what becomes of a StopIteration raised in one.

Up to Python 3.11 such a comprehension is a coroutine, and a StopIteration that leaves a coroutine becomes a
RuntimeError (PEP 479). In a loop this happens only where it leaves the function. The difference is visible if something
in the function catches the exception, or if the function is an asynchronous generator.
"""

from __future__ import annotations

import libcst as cst

from rewrite.analysis.scopes import Scope
from rewrite.syntax.tree import walk

_WATCHING = (cst.Try, cst.TryStar, cst.With)


def is_asynchronous(node: cst.BaseComp) -> bool:
    """Whether a comprehension holds an `await` or `async for`."""
    return any(
        isinstance(inner, cst.Await) or (isinstance(inner, cst.CompFor) and inner.asynchronous is not None)
        for inner in walk(node)
    )


def is_exception_observed(node: cst.BaseComp, function: Scope) -> bool:
    """Whether the function may see the exceptions of a comprehension in it, or is a generator.

    A copied comprehension is not found in the function; any `try` or `with` there then counts as an observer.
    """
    inside = list(walk(function.node)) if function.node is not None else []
    if any(isinstance(inner, cst.Yield) for inner in inside):
        return True
    found = any(inner is node for inner in inside)
    watching = (inner for inner in inside if isinstance(inner, _WATCHING))
    return any(not found or any(inner is node for inner in walk(statement)) for statement in watching)
