"""Many shards at once: over the cores of one machine, or over machines with Ray Data.

Both call the same function on the same shards and hold a bounded number of them. What it does not do: know what a shard
is or where what it gives goes (`analyze.auditing.resume`).
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import chain, islice
from typing import Any

from analyze.auditing.resume import Done, Shard, Spread
from corpora.errors import InputError
from corpora.orphans import exit_with_parent

RAY_WINDOW = 64


def over_cores(workers: int = 0) -> Spread:
    """So many processes, 0 for one a core. A single shard needs no other process."""

    def run(job: Callable[[Shard], Done[Any]], shards: Iterator[Shard]) -> Iterator[Done[Any]]:
        count = workers or os.cpu_count() or 1
        head = list(islice(shards, 2))
        if count == 1 or len(head) < 2:
            yield from map(job, chain(head, shards))
        else:
            yield from _in_processes(job, chain(head, shards), count)

    return run


def _in_processes(job: Callable[[Shard], Done[Any]], shards: Iterator[Shard], count: int) -> Iterator[Done[Any]]:
    # A spawned worker inherits no lock of the tokenizers' threads, as a forked one could.
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(count, mp_context=spawn, initializer=exit_with_parent) as pool:
        running: set[Future[Done[Any]]] = set()
        for shard in shards:
            running.add(pool.submit(job, shard))
            # As many shards as workers, and one waiting for each: memory does not grow with the data set.
            while len(running) >= 2 * count:
                finished, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in finished)
        yield from (future.result() for future in running)


def over_ray() -> Spread:
    """Ray Data, on the cluster that `ray.init` finds, else on this machine; a window of shards at a time.

    The audit's folder must be one that all machines share. Raises InputError where ray is not installed.
    """
    try:
        ray: Any = importlib.import_module("ray")
        importlib.import_module("ray.data")
    except ImportError:
        raise InputError("not installed: pip install '.[ray]'", where="--ray") from None

    def run(job: Callable[[Shard], Done[Any]], shards: Iterator[Shard]) -> Iterator[Done[Any]]:
        # Shards and results travel as bytes: Arrow has no column type for them.
        def audited(row: dict[str, bytes]) -> dict[str, bytes]:
            return {"done": pickle.dumps(job(pickle.loads(row["shard"])))}

        while window := [{"shard": pickle.dumps(shard)} for shard in islice(shards, RAY_WINDOW)]:
            for row in ray.data.from_items(window, override_num_blocks=len(window)).map(audited).iter_rows():
                yield pickle.loads(row["done"])

    return run
