"""Processes shards in parallel: over the cores of one machine, or over machines with Ray Data.

Both call the same function on the same shards and hold a bounded number of them. `corpora.shard_store` defines
shards and stores the results.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from corpora.errors import InputError
from corpora.process_pool import map_over_cores
from corpora.reading.optional_packages import require_package
from corpora.shard_store import FinishedShard, Shard, ShardExecutor, without_lost_rows

RAY_WINDOW = 64


def over_cores(workers: int = 0) -> ShardExecutor:
    """Returns an executor over processes.

    Args:
        workers: Number of processes (default: 0, one per core). A single shard runs in this process.
    """

    def run(job: Callable[[Shard], FinishedShard[Any]], shards: Iterator[Shard]) -> Iterator[FinishedShard[Any]]:
        return map_over_cores(job, shards, workers, on_death=without_lost_rows)

    return run


def over_ray(address: str = "") -> ShardExecutor:
    """Returns an executor on Ray Data: a pool of actors, each with its own sandbox workers, on all nodes of a cluster.

    An actor that dies with its process or node is replaced, and its shard is processed again; a shard that was finished
    has its marker and is not. The output folder must be shared by all machines.

    Args:
        address: Address of a Ray cluster, or "auto" for the one that this machine belongs to (default: that if there is
            one, else a cluster on this machine).

    Raises:
        InputError: If ray is not installed, or the cluster cannot be reached.
    """
    ray = require_package("ray", "ray", where="--ray")
    require_package("ray.data", "ray", where="--ray")
    logging.getLogger("ray.data").setLevel(logging.WARNING)  # it logs its progress line by line, beside ours
    if not ray.is_initialized():
        try:
            ray.init(address=address or None, log_to_driver=False, logging_level=logging.WARNING)
        except (ConnectionError, ValueError, RuntimeError) as error:
            reason = str(error).strip().partition("\n")[0]
            raise InputError(f"the cluster cannot be reached: {reason}", where=f"--ray {address}".strip()) from error

    def run(job: Callable[[Shard], FinishedShard[Any]], shards: Iterator[Shard]) -> Iterator[FinishedShard[Any]]:
        # Shards and results are sent as bytes: Arrow has no column type for them.
        while window := [{"shard": pickle.dumps(shard)} for shard in islice(shards, RAY_WINDOW)]:
            actors = ray.data.ActorPoolStrategy(min_size=1, max_size=len(window))
            data = ray.data.from_items(window, override_num_blocks=len(window))
            # Ray Data restarts actors and repeats their tasks without limit by default.
            finished = data.map_batches(ShardActor, fn_constructor_args=(job,), batch_size=1, compute=actors)
            try:
                for row in finished.iter_rows():
                    yield pickle.loads(row["done"])
            except ray.exceptions.RayError as error:
                raise InputError(f"{_last_line(error)}; the same command resumes", where="--ray") from error

    return run


def _last_line(error: BaseException) -> str:
    """The message of the error that ended a job, without Ray's traceback."""
    return str(error).strip().rpartition("\n")[2]


class ShardActor:
    """Processes shards in a Ray actor, which keeps its sandbox workers between them.

    Args:
        job: Processes a shard.
    """

    def __init__(self, job: Callable[[Shard], FinishedShard[Any]]) -> None:
        self._job = job

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[bytes]]:
        """Processes the shards of a batch."""
        return {"done": [pickle.dumps(self._job(pickle.loads(shard))) for shard in batch["shard"]]}
