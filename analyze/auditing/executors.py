"""Processes shards in parallel: over the cores of one machine, or over machines with Ray Data.

Both call the same function on the same shards and hold a bounded number of them. `analyze.auditing.resume` defines
shards and stores the results.
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

from analyze.auditing.resume import FinishedShard, Shard, ShardExecutor
from corpora.errors import InputError
from corpora.orphans import exit_with_parent

RAY_WINDOW = 64


def over_cores(workers: int = 0) -> ShardExecutor:
    """Returns an executor over processes.

    Args:
        workers: Number of processes (default: 0, one per core). A single shard runs in this process.
    """

    def run(job: Callable[[Shard], FinishedShard[Any]], shards: Iterator[Shard]) -> Iterator[FinishedShard[Any]]:
        count = workers or os.cpu_count() or 1
        head = list(islice(shards, 2))
        if count == 1 or len(head) < 2:
            yield from map(job, chain(head, shards))
        else:
            yield from _in_processes(job, chain(head, shards), count)

    return run


def _in_processes(
    job: Callable[[Shard], FinishedShard[Any]], shards: Iterator[Shard], count: int
) -> Iterator[FinishedShard[Any]]:
    # A forked worker could inherit a lock held by a tokenizer's thread; a spawned one cannot.
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(count, mp_context=spawn, initializer=exit_with_parent) as pool:
        running: set[Future[FinishedShard[Any]]] = set()
        for shard in shards:
            running.add(pool.submit(job, shard))
            # One running and one waiting shard per worker: memory does not grow with the data set.
            while len(running) >= 2 * count:
                finished, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in finished)
        yield from (future.result() for future in running)


def over_ray() -> ShardExecutor:
    """Returns an executor on Ray Data, on the cluster that `ray.init` finds, else on this machine.

    The audit's folder must be shared by all machines.

    Raises:
        InputError: If ray is not installed.
    """
    try:
        ray: Any = importlib.import_module("ray")
        importlib.import_module("ray.data")
    except ImportError:
        raise InputError("not installed: pip install '.[ray]'", where="--ray") from None

    def run(job: Callable[[Shard], FinishedShard[Any]], shards: Iterator[Shard]) -> Iterator[FinishedShard[Any]]:
        # Shards and results are sent as bytes: Arrow has no column type for them.
        def audited(row: dict[str, bytes]) -> dict[str, bytes]:
            return {"done": pickle.dumps(job(pickle.loads(row["shard"])))}

        while window := [{"shard": pickle.dumps(shard)} for shard in islice(shards, RAY_WINDOW)]:
            for row in ray.data.from_items(window, override_num_blocks=len(window)).map(audited).iter_rows():
                yield pickle.loads(row["done"])

    return run
