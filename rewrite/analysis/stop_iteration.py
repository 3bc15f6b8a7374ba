"""Comprehensions that await, or iterate with `async for`: what becomes of a StopIteration in one.

Up to Python 3.11 such a comprehension is a coroutine of its own, and a StopIteration that leaves a coroutine becomes a
RuntimeError (PEP 479). In a loop it does so where it leaves the function: the same, unless something in the function
sees it before, or the function is an asynchronous generator, whose message is another one.
"""

from __future__ import annotations

import libcst as cst

from rewrite.analysis.scopes import Scope
from rewrite.syntax.tree import walk

_WATCHING = (cst.Try, cst.TryStar, cst.With)


def suspends(node: cst.BaseComp) -> bool:
    """Whether an `await` or `async for` stands in a comprehension."""
    return any(
        isinstance(inner, cst.Await) or (isinstance(inner, cst.CompFor) and inner.asynchronous is not None)
        for inner in walk(node)
    )


def is_watched(node: cst.BaseComp, function: Scope) -> bool:
    """Whether the function may see what a comprehension in it raises, or is a generator.

    A comprehension that is a copy, and so is not found in the function, counts as watched by any statement there.
    """
    inside = list(walk(function.node)) if function.node is not None else []
    if any(isinstance(inner, cst.Yield) for inner in inside):
        return True
    found = any(inner is node for inner in inside)
    watching = (inner for inner in inside if isinstance(inner, _WATCHING))
    return any(not found or any(inner is node for inner in walk(statement)) for statement in watching)
