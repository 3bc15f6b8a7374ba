"""Concurrent requests, each with a time limit of its own: results come as they arrive, not when the slowest ends."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def as_completed(
    work: Callable[[_Item], _Result], items: Sequence[_Item], workers: int, seconds: float
) -> Iterator[tuple[int, _Result | None]]:
    """Yields the index and the result of each item as it completes; None as the result of one that takes too long.

    A thread that takes too long is abandoned, because a request that hangs cannot be ended from outside. Threads are
    daemons, so that none delays the end of the process.

    Args:
        work: called with an item, in a thread.
        items: the items; started in this order.
        workers: how many run at once.
        seconds: time limit of each item, in seconds.

    Raises:
        BaseException: what `work` raised first.

    Example:
        >>> sorted(as_completed(abs, [-3, 4], 2, 60))
        [(0, 3), (1, 4)]
    """
    finished: SimpleQueue[tuple[int, _Result | None, BaseException | None]] = SimpleQueue()

    def run(index: int) -> None:
        try:
            finished.put((index, work(items[index]), None))
        except BaseException as error:  # noqa: BLE001 - raised in the caller's thread
            finished.put((index, None, error))

    waiting, ends = deque(range(len(items))), dict[int, float]()
    while waiting or ends:
        while waiting and len(ends) < workers:
            index = waiting.popleft()
            ends[index] = time.monotonic() + seconds
            Thread(target=run, args=(index,), daemon=True).start()
        try:
            index, result, error = finished.get(timeout=max(0.0, min(ends.values()) - time.monotonic()))
        except Empty:
            now = time.monotonic()
            for late in [index for index, end in ends.items() if end <= now]:
                del ends[late]
                yield late, None
            continue
        if ends.pop(index, None) is None:
            continue  # it was abandoned
        if error is not None:
            raise error
        yield index, result
