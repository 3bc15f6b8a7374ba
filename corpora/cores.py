"""The CPU cores that this process may use, and work in one process per core."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing.queues import SimpleQueue
from typing import TypeVar

from corpora.errors import InputError
from corpora.orphans import exit_with_parent

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
    hint: str = "",
    *,
    ordered: bool = False,
    start: Callable[[], None] | None = None,
) -> Iterator[ResultT]:
    """Yields the result of each item, in the order in which they are finished.

    With one worker or a single item, this process does the work, in order, and does not call `start`.

    Processes, not threads: Python 3.11 counts the depth of `ast.parse` per interpreter. If another thread parses while
    garbage is collected during the conversion, both fail with SystemError.

    Args:
        job: Processes an item; can be pickled, as can items and results.
        items: What is processed.
        workers: Number of processes (default: 0, one per core).
        hint: What to do if a process is killed, for the error message.
        ordered: Yields the results in the order of the items.
        start: Called once in each new process (default: nothing).

    Raises:
        InputError: If a process is killed.
    """
    count = workers or len(usable_cores())
    every = iter(items)
    head = list(islice(every, 2))
    if count == 1 or len(head) < 2:
        yield from map(job, chain(head, every))
        return
    running: deque[Future[ResultT]] = deque()

    def take() -> ResultT:
        finished = running[0] if ordered else wait(running, return_when=FIRST_COMPLETED).done.pop()
        running.remove(finished)
        return finished.result()

    try:
        with _pool(count, start) as pool:
            for item in chain(head, every):
                running.append(pool.submit(job, item))
                # One running and one waiting item per worker: memory does not grow with the data set.
                if len(running) == 2 * count:
                    yield take()
            while running:
                yield take()
    except BrokenProcessPool:
        reason = f"a worker process was killed, for example because memory ran out{hint}"
        raise InputError(reason, where="--jobs") from None


def _pool(count: int, start: Callable[[], None] | None) -> ProcessPoolExecutor:
    # A forked worker could inherit a lock held by a tokenizer's thread; a spawned one cannot.
    spawn = multiprocessing.get_context("spawn")
    # With fewer processes than cores, the kernel can avoid cores that other programs use; with more, none has its own.
    cores = usable_cores()
    own_cores: SimpleQueue[int] | None = None
    if count == len(cores):
        own_cores = spawn.SimpleQueue()
        for core in cores:
            own_cores.put(core)
    return ProcessPoolExecutor(count, spawn, _start_process, (own_cores, start))


def _start_process(cores: SimpleQueue[int] | None, start: Callable[[], None] | None) -> None:
    """Takes a core from the queue and stays there; exits when the parent has ended.

    A pool's process and the sandbox process that runs its program wait for each other. Left to the kernel, both change
    cores all the time, which costs caches: on two idle cores, two processes of `spellout traces` were 1.5 times as fast
    as one (`bench/trace_data_sets.py rate`; docs/traces.md has the figure with a core for each).

    Args:
        cores: A core for each process; None to leave the choice to the kernel.
        start: Called afterwards.
    """
    if cores is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {cores.get()})
    exit_with_parent()
    if start is not None:
        start()
