"""Keeps workers: one per hash seed, started when first needed, renewed after a number of jobs, ended at exit.

Safe to call from several threads (one job at a time per worker) and after a fork (a child starts workers of its own).
"""

from __future__ import annotations

import atexit
import os
import threading

from corpora.sandbox.protocol import Job
from corpora.sandbox.worker import Watched, Worker, WorkerDiedError

JOBS_PER_WORKER = 200

_lock = threading.Lock()
_workers: dict[int, Worker] = {}
_owner = os.getpid()


def run(job: Job, seconds: float, *, hash_seed: int = 0) -> Watched:
    """Run a job in the kept worker. A worker that dies is replaced; the job that it died under is not run again."""
    global _owner
    with _lock:
        if _owner != os.getpid():
            _workers.clear()  # another process's workers: theirs to end
            _owner = os.getpid()
        worker = _workers.pop(hash_seed, None)
        if worker is not None and worker.jobs >= JOBS_PER_WORKER:
            worker.close()
            worker = None
        worker = worker or Worker(hash_seed)
        try:
            why = worker.load(job.observer) if job.observer else ""
            if why:
                raise ImportError(f"observer {job.observer} cannot be loaded in the worker: {why}")
            watched = worker.run(job, seconds)
        except WorkerDiedError as died:
            worker.close()
            return Watched(problem=str(died), stopped="timeout" if "not reported dead" in str(died) else "")
        except BaseException:
            worker.close()  # interrupted in the middle of a job: its answers would come to the next one
            raise
        _workers[hash_seed] = worker
        return watched


def close() -> None:
    """End all workers of this process."""
    with _lock:
        if _owner == os.getpid():
            for worker in _workers.values():
                worker.close()
        _workers.clear()


atexit.register(close)
