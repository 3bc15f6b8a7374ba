"""A pool of worker processes that survives the death of one of them."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.queues import SimpleQueue
from typing import Generic, TypeVar

from corpora.failures import DIED, JobDiedError
from corpora.orphans import exit_with_parent

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


class WorkerProcesses(Generic[ItemT, ResultT]):
    """A pool of processes that is opened again after one of them died; the arguments are those of `map_over_cores`.

    Args:
        cores: The cores that this process may use. With a process for each, every process stays on its own.

    Attributes:
        running: The items that are not taken yet, with their results to come.
    """

    def __init__(
        self,
        job: Callable[[ItemT], ResultT],
        count: int,
        cores: Sequence[int],
        start: Callable[[], None] | None,
        on_death: Callable[[ItemT, Callable[[ItemT], ResultT]], ResultT],
    ) -> None:
        self._job, self._count, self._cores, self._start, self._on_death = job, count, cores, start, on_death
        self._pool = _pool(count, cores, start)
        self._single: ProcessPoolExecutor | None = None
        self.running: deque[tuple[ItemT, Future[ResultT]]] = deque()

    def __enter__(self) -> WorkerProcesses[ItemT, ResultT]:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:  # an interrupt, for example: nobody waits for the results
            for process in list((self._pool._processes or {}).values()):
                process.terminate()
        self._pool.shutdown(cancel_futures=True)

    def submit(self, item: ItemT) -> None:
        """Starts the work on an item."""
        try:
            self.running.append((item, self._pool.submit(self._job, item)))
        except BrokenProcessPool:
            self._recover()
            self.submit(item)

    def take(self, *, ordered: bool) -> ResultT:
        """Waits for a result: that of the first item, or the first that is there."""
        while True:
            if ordered:
                item, found = self.running[0]
            else:
                done = wait([one for _, one in self.running], return_when=FIRST_COMPLETED).done.pop()
                item, found = next(pair for pair in self.running if pair[1] is done)
            try:
                result = found.result()
            except BrokenProcessPool:
                self._recover()
                continue
            self.running.remove((item, found))
            return result

    def _recover(self) -> None:
        """Processes what was lost with the pool again, one item at a time, and opens a new pool."""
        self._pool.shutdown()
        for place, (item, found) in enumerate(self.running):
            if found.cancelled() or isinstance(found.exception(), BrokenProcessPool):
                again: Future[ResultT] = Future()
                try:
                    again.set_result(self._alone_or_lost(item))
                except Exception as error:  # noqa: BLE001 - the job's own exception, which `take` raises
                    again.set_exception(error)
                self.running[place] = item, again
        if self._single is not None:
            self._single.shutdown()
            self._single = None
        self._pool = _pool(self._count, self._cores, self._start)

    def _alone_or_lost(self, item: ItemT) -> ResultT:
        try:
            return self._alone(item)
        except JobDiedError:
            return self._on_death(item, self._alone)

    def _alone(self, item: ItemT) -> ResultT:
        """Processes an item in a process that works on nothing else. Raises JobDiedError if that dies."""
        if self._single is None:
            self._single = _pool(1, self._cores, self._start)
        try:
            return self._single.submit(self._job, item).result()
        except BrokenProcessPool:
            self._single.shutdown()
            self._single = None
            raise JobDiedError(DIED) from None


def _pool(count: int, cores: Sequence[int], start: Callable[[], None] | None) -> ProcessPoolExecutor:
    # A forked worker could inherit a lock held by a tokenizer's thread; a spawned one cannot.
    spawn = multiprocessing.get_context("spawn")
    # With fewer processes than cores, the kernel can avoid cores that other programs use; with more, none has its own.
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
