"""The CPU cores that this process may use, and work in one process per core (`corpora.worker_processes`)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TypeVar

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


def usable_cores() -> list[int]:
    """The numbers of the cores that this process may use: those that a scheduler or `taskset` left to it."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def map_over_cores(
    job: Callable[[ItemT], ResultT],
    items: Iterable[ItemT],
    workers: int = 0,
    *,
    on_death: Callable[[ItemT, Callable[[ItemT], ResultT]], ResultT],
    ordered: bool = False,
    start: Callable[[], None] | None = None,
) -> Iterator[ResultT]:
    """Yields the result of each item, in the order in which they are finished.

    With one worker or a single item, this process does the work, in order, and does not call `start`.

    If a process dies, nobody knows which item killed it. The items that were being processed are processed again, one
    at a time in a process of their own, and only those that kill it again are lost.

    Processes, not threads: Python 3.11 counts the depth of `ast.parse` per interpreter. If another thread parses while
    garbage is collected during the conversion, both fail with SystemError.

    Args:
        job: Processes an item; can be pickled, as can items and results.
        items: What is processed.
        workers: Number of processes (default: 0, one per core).
        on_death: Makes the result of an item whose process died. Its second argument processes an item in a process of
            its own, such as a part of the first one, and raises JobDiedError if that dies too.
        ordered: Yields the results in the order of the items.
        start: Called once in each new process (default: nothing).
    """
    cores = usable_cores()
    count = workers or len(cores)
    every = iter(items)
    head = list(islice(every, 2))
    if count == 1 or len(head) < 2:
        yield from map(job, chain(head, every))
        return
    from corpora.worker_processes import WorkerProcesses  # a single item, the usual input of a command, needs none

    with WorkerProcesses(job, count, cores, start, on_death) as pool:
        for item in chain(head, every):
            pool.submit(item)
            # One running and one waiting item per worker: memory does not grow with the data set.
            if len(pool.running) == 2 * count:
                yield pool.take(ordered=ordered)
        while pool.running:
            yield pool.take(ordered=ordered)
