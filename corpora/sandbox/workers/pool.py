"""Keeps idle workers by hash seed and replica: started when needed, renewed after some jobs, ended at exit.

Safe to call from several threads (each has a worker to itself while its job runs, so that threads use several cores)
and after a fork (a child starts workers of its own).
"""

from __future__ import annotations

import atexit
import os
import threading
from collections import defaultdict

from corpora.errors import InputError
from corpora.program import Isolation
from corpora.sandbox.confinement.layers import Confinement
from corpora.sandbox.reporting.protocol import Job
from corpora.sandbox.reporting.report_reader import Watched
from corpora.sandbox.workers import levels
from corpora.sandbox.workers.launch import PACKAGES
from corpora.sandbox.workers.worker import Worker, WorkerDiedError

JOBS_PER_WORKER = 500

_lock = threading.Lock()
_idle: defaultdict[tuple[int, int], list[Worker]] = defaultdict(list)
_busy: set[Worker] = set()


def run(job: Job, seconds: float, *, hash_seed: int = 0, replica: int = 0) -> tuple[Watched, Isolation]:
    """Run a job in a kept worker of this hash seed; what came back, and the level that was in force.

    Another `replica` is another interpreter: the same but for its memory addresses. A worker that dies is replaced;
    the job that it died under is not run again, one that it never took is. Raises what `levels.in_force` raises,
    InputError when no worker can be started, and ImportError for an observer that the worker cannot load.
    """
    confinement = levels.in_force().confinement
    for last in (False, True):
        worker = _taken(confinement, (hash_seed, replica), job)
        try:
            why = worker.load(job.observer) if job.observer else ""
            if why:
                raise ImportError(f"observer {job.observer} cannot be loaded in the worker: {why}")
            watched = worker.run(job, seconds)
        except WorkerDiedError as died:
            _drop(worker)
            if died.taken or last:
                return Watched(problem=str(died), stopped="timeout" if died.late else ""), confinement.level
        except BaseException:
            _drop(worker)  # interrupted in the middle of a job: its answers would come to the next one
            raise
        else:
            with _lock:
                _busy.discard(worker)
                _idle[hash_seed, replica].append(worker)
            return watched, confinement.level
    raise AssertionError("the second try returns or raises")


def _taken(confinement: Confinement, key: tuple[int, int], job: Job) -> Worker:
    """An idle worker, or a new one where there is none, or it is worn out, of another level, or lacks a package."""
    package = job.observer.partition(".")[0]
    with _lock:
        worker = _idle[key].pop() if _idle[key] else None
        if worker is not None:
            _busy.add(worker)
    if worker is not None:
        lacks = package and package not in worker.packages
        if worker.jobs < JOBS_PER_WORKER and worker.confinement == confinement and not lacks:
            return worker
        _drop(worker)
    try:
        worker = Worker(confinement, key[0], {*PACKAGES, *([package] if package else [])})
    except WorkerDiedError as error:
        raise InputError(f"no sandbox worker can be started: {error}") from error
    with _lock:
        _busy.add(worker)
    return worker


def _drop(worker: Worker) -> None:
    with _lock:
        _busy.discard(worker)
    worker.close()


def close() -> None:
    """End the idle workers of this process; those that are at work end with their jobs' callers."""
    with _lock:
        for worker in [worker for kept in _idle.values() for worker in kept]:
            worker.close()
        _idle.clear()


def _forget() -> None:
    """In a child of this process: the workers are the parent's to end, and the lock may be held by nobody left."""
    global _lock
    _lock = threading.Lock()
    for worker in [*_busy, *(worker for kept in _idle.values() for worker in kept)]:
        worker.abandon()
    _idle.clear()
    _busy.clear()


atexit.register(close)
os.register_at_fork(after_in_child=_forget)
