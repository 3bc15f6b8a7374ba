"""The self-check: tries the actions that each layer must prevent, before any program runs, and reports which succeeded.

Each layer is tried alone, because layers overlap: that seccomp forbids the network says nothing about a missing network
namespace. `confinement.escape_attempts` defines the attempts, which run in the worker. This module offers the bait (a
file, a port, shared memory, a secret) and removes it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import secrets
import socket
import sys
from collections.abc import Iterator
from typing import Any

from corpora.errors import UnavailableError
from corpora.sandbox.confinement.bubblewrap import SANDBOX_ROOT
from corpora.sandbox.confinement.layers import LEVEL_LAYERS, Confinement
from corpora.sandbox.reporting.protocol import Job
from corpora.sandbox.workers.launch import ROOT
from corpora.sandbox.workers.worker import Worker, WorkerDiedError
from corpora.temporary_folders import temporary_folder

ATTEMPTS = "corpora.sandbox.confinement.escape_attempts:succeeded"
MEGABYTES = 256
SECONDS = 10.0
_CREATE, _REMOVE = 0o1600, 0  # IPC_CREAT with mode 600, IPC_RMID


class IsolationError(UnavailableError):
    """A layer of the claimed level does not hold. Nothing is run."""


def check_confinement(confinement: Confinement) -> None:
    """Start a worker and try every attempt.

    Raises:
        IsolationError: A layer does not prevent one of its attempts.
        WorkerDiedError: A worker of this level does not start.
    """
    with lay_bait(confinement) as bait, contextlib.closing(Worker(confinement, secret=bait["secret"])) as worker:
        worker.wait_until_ready()
        if why := worker.load(ATTEMPTS):
            raise WorkerDiedError(f"the worker cannot load the self-check: {why}")
        failures = [
            f"{layer}: a program could {attempt}"
            for layer in LEVEL_LAYERS[confinement.level]
            for attempt in _successful_attempts(worker, layer, bait)
        ]
        if not _is_killed_in_time(worker):
            failures.append("kill: a program could run on after its time limit")
    if failures:
        listed = "; ".join(failures)
        raise IsolationError(f"isolation level {confinement.level} does not hold: {listed}; no program is run")


def _successful_attempts(worker: Worker, layer: str, bait: dict[str, Any]) -> list[str]:
    job = Job(secrets.token_hex(8), "", (), MEGABYTES, 30, observer=ATTEMPTS, options=bait, probe=layer)
    watched = worker.run(job, SECONDS, SECONDS)
    if len(watched.calls) != 1 or watched.problem:
        raise WorkerDiedError(f"the self-check of {layer} did not end: {watched.problem or watched.stop_reason}")
    return watched.lines


def _is_killed_in_time(worker: Worker) -> bool:
    job = Job(secrets.token_hex(8), "while True: pass", ("f()",), MEGABYTES, 30)
    watched = worker.run(job, 0.05, SECONDS)  # a busy machine may report the end of a process late
    return watched.stop_reason == "timeout" and watched.status is not None


@contextlib.contextmanager
def lay_bait(confinement: Confinement) -> Iterator[dict[str, Any]]:
    """Create what a program would find if a layer were missing; remove it at the end of the block."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(temporary_folder("bait"))
        (folder / "secret").write_text("not for programs", encoding="ascii")
        bait = {
            "file": str(folder / "secret"),
            "beside": f"{SANDBOX_ROOT}/corpora/errors.py"
            if confinement.level == "A"
            else str(ROOT / "corpora" / "errors.py"),
            "secret": secrets.token_hex(8),
            "pid": os.getpid(),
            "hostname": socket.gethostname(),
            "megabytes": MEGABYTES,
        }
        if sys.platform == "linux":
            bait["port"] = _listening(stack, socket.AF_INET, ("127.0.0.1", 0))[1]
            bait["abstract"] = f"\0spellout-{bait['secret']}"
            _listening(stack, socket.AF_UNIX, bait["abstract"])
            bait["shm_key"] = _shared_memory(stack)
        yield bait


def _listening(stack: contextlib.ExitStack, family: int, address: Any) -> Any:
    server = stack.enter_context(socket.socket(family))
    server.bind(address)
    server.listen(1)
    return server.getsockname()


def _shared_memory(stack: contextlib.ExitStack) -> int:
    """The key of a new segment of System V shared memory."""
    libc = ctypes.CDLL(None, use_errno=True)
    key = secrets.randbelow(2**30) + 1
    segment = libc.shmget(key, 4096, _CREATE)
    if segment >= 0:
        stack.callback(libc.shmctl, segment, _REMOVE, None)
    return key
