"""Keeps idle workers by hash seed and replica: starts them on demand, renews them after some jobs, ends them at exit.

Several threads may call it: each has a worker to itself while its job runs, so that threads use several cores. It is
also safe after a fork, because a child starts its own workers.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress

from corpora.errors import UnavailableError
from corpora.program import Isolation
from corpora.sandbox.confinement.layers import Confinement
from corpora.sandbox.reporting.protocol import Job
from corpora.sandbox.reporting.report_reader import JobReport
from corpora.sandbox.workers import confirmations, isolation_levels
from corpora.sandbox.workers.launch import WORKER_PACKAGES
from corpora.sandbox.workers.worker import Worker, WorkerDiedError

JOBS_PER_WORKER = 500

_lock = threading.Lock()
_idle: defaultdict[tuple[int, int], list[Worker]] = defaultdict(list)
_busy: set[Worker] = set()


def run(job: Job, seconds: float, *, hash_seed: int = 0, replica: int = 0) -> tuple[JobReport, Isolation]:
    """Run a job in a worker of this hash seed.

    A worker that dies is replaced. The job that it was running is not repeated; a job that it never received is.

    Args:
        job: The program and its calls.
        seconds: Wall time of each call.
        hash_seed: PYTHONHASHSEED of the worker.
        replica: Another number is another interpreter, which differs only in its memory addresses.

    Returns:
        The report, and the isolation level that was in force.

    Raises:
        UnavailableError: No worker can be started, or the level is not allowed (`isolation_levels.active_isolation`).
        ImportError: The worker cannot load the observer.
    """
    confinement = isolation_levels.active_isolation().confinement
    for last in (False, True):
        worker = _acquire_worker(confinement, (hash_seed, replica), job)
        try:
            why = worker.load(job.observer) if job.observer else ""
            if why:
                raise ImportError(f"observer {job.observer} cannot be loaded in the worker: {why}")
            watched = worker.run(job, seconds)
        except WorkerDiedError as died:
            _discard(worker)
            if died.taken or last:
                return JobReport(problem=str(died), stop_reason="timeout" if died.late else ""), confinement.level
        except BaseException:
            _discard(worker)  # interrupted during a job: its answers would go to the next one
            raise
        else:
            with _lock:
                _busy.discard(worker)
                _idle[hash_seed, replica].append(worker)
            return watched, confinement.level
    raise AssertionError("the second try returns or raises")


def start_workers(hash_seeds: Iterable[int], observers: Sequence[str] = ()) -> None:
    """Start workers that will be needed, all at once and without waiting for them; do nothing where one is idle.

    Args:
        hash_seeds: PYTHONHASHSEED of each.
        observers: Observers that the first of them will need; it imports them meanwhile.

    Raises:
        UnavailableError: As `run`.
    """
    confinement = isolation_levels.active_isolation().confinement
    for number, seed in enumerate(hash_seeds):
        with _lock:
            is_idle = any(one.confinement == confinement for one in _idle[seed, 0])
        if not is_idle:
            worker = _new_worker(confinement, seed, "")
            with suppress(WorkerDiedError):  # the job that needs the worker reports it
                worker.begin_loading([] if number else observers)
            with _lock:
                _idle[seed, 0].append(worker)


def _acquire_worker(confinement: Confinement, key: tuple[int, int], job: Job) -> Worker:
    """An idle worker; or a new one if none is idle, or if it is worn out, has another level or lacks a package."""
    package = _package(job.observer)
    with _lock:
        worker = _idle[key].pop() if _idle[key] else None
        if worker is not None:
            _busy.add(worker)
    if worker is not None and (worker.jobs >= JOBS_PER_WORKER or not worker.suits(confinement, package)):
        _discard(worker)
        worker = None
    if worker is None:
        worker = _new_worker(confinement, key[0], package)
        with _lock:
            _busy.add(worker)
    try:
        worker.wait_until_ready()
    except WorkerDiedError as error:
        _discard(worker)
        raise _unavailable(confinement, error) from error
    except BaseException:
        _discard(worker)
        raise
    return worker


def _package(observer: str) -> str:
    """The package of an observer, "" without one."""
    return observer.partition(".")[0]


def _new_worker(confinement: Confinement, hash_seed: int, package: str) -> Worker:
    """A worker that is starting."""
    try:
        return Worker(confinement, hash_seed, {*WORKER_PACKAGES, *filter(None, [package])})
    except WorkerDiedError as error:
        raise _unavailable(confinement, error) from error


def _unavailable(confinement: Confinement, error: WorkerDiedError) -> UnavailableError:
    """No worker starts: what the self-check confirmed before no longer holds."""
    confirmations.forget(confinement)
    return UnavailableError(f"no sandbox worker can be started: {error}")


def _discard(worker: Worker) -> None:
    with _lock:
        _busy.discard(worker)
    worker.close()


def close_idle() -> None:
    """End the idle workers of this process. The callers of busy workers end those."""
    with _lock:
        for worker in [worker for workers in _idle.values() for worker in workers]:
            worker.close()
        _idle.clear()


def _abandon_workers() -> None:
    """In a forked child: the workers belong to the parent, and no thread may be left that holds the lock."""
    global _lock
    _lock = threading.Lock()
    for worker in [*_busy, *(worker for workers in _idle.values() for worker in workers)]:
        worker.abandon()
    _idle.clear()
    _busy.clear()


atexit.register(close_idle)
os.register_at_fork(after_in_child=_abandon_workers)
