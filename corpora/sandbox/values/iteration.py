"""Advances the iterators of a program step by step. Runs inside the worker; each step runs code of the program.

A step reports only what the iterator gave: an item, an exception or a returned value. The caller observes other
effects.
"""

from __future__ import annotations

import builtins
import types
from collections.abc import Callable, Iterator
from typing import Any

globals()["__builtins__"] = dict(vars(builtins))  # own built-ins for this module: a program may replace the shared ones
_ASYNC, _COROUTINE = types.AsyncGeneratorType, types.CoroutineType
_anext = _ASYNC.__anext__


def iterator_steps(iterator: Any, limit: int) -> Iterator[tuple[str, object]]:
    """Advance an iterator up to `limit` times.

    A coroutine is an iterator over what it yields to its event loop. An asynchronous generator gives pairs of a value
    and whether that value is for the event loop.

    Yields:
        ("item", item) for each item; then ("returned", value) if there is one, ("raised", error), or ("unread", number
        of items read) if the limit was reached.
    """
    advance = _advance_function(_drive_async_generator(iterator) if type(iterator) is _ASYNC else iterator)
    for _ in range(limit):
        try:
            item = advance()
        except StopIteration as end:
            if end.value is not None:
                yield "returned", end.value
            return
        except BaseException as error:  # noqa: BLE001 - a generator of the program may raise anything; it is recorded
            yield "raised", error
            return
        yield "item", item
    yield "unread", limit


def _advance_function(iterator: Any) -> Callable[[], object]:
    if type(iterator) is _COROUTINE:
        return lambda: iterator.send(None)
    return lambda: next(iterator)


def _drive_async_generator(generator: Any) -> Iterator[tuple[object, bool]]:
    while True:
        step = _anext(generator)
        try:
            while True:
                yield step.send(None), True
        except StopIteration as came:
            yield came.value, False
        except StopAsyncIteration:
            return
