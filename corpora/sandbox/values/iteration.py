"""Advance the program's iterators step by step; runs inside the worker, and each step runs the program's code.

Says what came (an item, an exception, a returned value), not what else the step did: that is for who asks to look.
"""

from __future__ import annotations

import builtins
import types
from collections.abc import Callable, Iterator
from typing import Any

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own
_ASYNC, _COROUTINE = types.AsyncGeneratorType, types.CoroutineType
_anext = _ASYNC.__anext__


def steps(iterator: Any, limit: int) -> Iterator[tuple[str, object]]:
    """("item", it) for each, then ("returned", value) if any, ("raised", error), or ("unread", how many were read).

    A coroutine is an iterator over what it hands to its event loop; an asynchronous generator yields pairs of what
    came and whether it was for the loop.
    """
    advance = _advance(_asynchronous(iterator) if type(iterator) is _ASYNC else iterator)
    for _ in range(limit):
        try:
            item = advance()
        except StopIteration as end:
            if end.value is not None:
                yield "returned", end.value
            return
        except BaseException as error:  # noqa: BLE001 - the program's own generator may raise anything; it is recorded
            yield "raised", error
            return
        yield "item", item
    yield "unread", limit


def _advance(iterator: Any) -> Callable[[], object]:
    if type(iterator) is _COROUTINE:
        return lambda: iterator.send(None)
    return lambda: next(iterator)


def _asynchronous(generator: Any) -> Iterator[tuple[object, bool]]:
    while True:
        step = _anext(generator)
        try:
            while True:
                yield step.send(None), True
        except StopIteration as came:
            yield came.value, False
        except StopAsyncIteration:
            return
