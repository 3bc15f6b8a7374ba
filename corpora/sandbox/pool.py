"""Keeps workers, one per hash seed and replica: started when first needed, renewed after some jobs, ended at exit.

Safe to call from several threads (one job at a time per worker) and after a fork (a child starts workers of its own).
"""

from __future__ import annotations

import atexit
import os
import threading

from corpora.errors import InputError
from corpora.program import Isolation
from corpora.sandbox import levels
from corpora.sandbox.confinement import Confinement
from corpora.sandbox.launch import PACKAGES
from corpora.sandbox.protocol import Job
from corpora.sandbox.reports import Watched
from corpora.sandbox.worker import Worker, WorkerDiedError

JOBS_PER_WORKER = 500

_lock = threading.Lock()
_workers: dict[tuple[int, int], Worker] = {}


def run(job: Job, seconds: float, *, hash_seed: int = 0, replica: int = 0) -> tuple[Watched, Isolation]:
    """Run a job in the kept worker of this hash seed; what came back, and the level that was in force.

    Another `replica` is another interpreter: the same but for its memory addresses. A worker that dies is replaced;
    the job that it died under is not run again, one that it never took is. Raises what `levels.in_force` raises,
    InputError when no worker can be started, and ImportError for an observer that the worker cannot load.
    """
    with _lock:
        confinement = levels.in_force().confinement
        for last in (False, True):
            worker = _worker(confinement, (hash_seed, replica), job)
            try:
                why = worker.load(job.observer) if job.observer else ""
                if why:
                    raise ImportError(f"observer {job.observer} cannot be loaded in the worker: {why}")
                watched = worker.run(job, seconds)
            except WorkerDiedError as died:
                worker.close()
                if died.taken or last:
                    return Watched(problem=str(died), stopped="timeout" if died.late else ""), confinement.level
            except BaseException:
                worker.close()  # interrupted in the middle of a job: its answers would come to the next one
                raise
            else:
                _workers[hash_seed, replica] = worker
                return watched, confinement.level
    raise AssertionError("the second try returns or raises")


def _worker(confinement: Confinement, key: tuple[int, int], job: Job) -> Worker:
    """The kept worker, or a new one where it is worn out, of another level, or lacks the observer's package."""
    package = job.observer.partition(".")[0]
    worker = _workers.pop(key, None)
    if worker is not None:
        lacks = package and package not in worker.packages
        if worker.jobs < JOBS_PER_WORKER and worker.confinement == confinement and not lacks:
            return worker
        worker.close()
    try:
        return Worker(confinement, key[0], {*PACKAGES, *([package] if package else [])})
    except WorkerDiedError as error:
        raise InputError(f"no sandbox worker can be started: {error}") from error


def close() -> None:
    """End all workers of this process."""
    with _lock:
        for worker in _workers.values():
            worker.close()
        _workers.clear()


def _forget() -> None:
    """In a child of this process: the workers are the parent's to end, and the lock may be held by nobody left."""
    global _lock
    _lock = threading.Lock()
    for worker in _workers.values():
        worker.abandon()
    _workers.clear()


atexit.register(close)
os.register_at_fork(after_in_child=_forget)
