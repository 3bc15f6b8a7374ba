"""Try, before any program runs, the acts that each claimed layer must prevent, and say which succeeded.

Each layer is tried alone, because layers overlap: a network that seccomp forbids says nothing about a namespace that is
missing. The acts themselves stand in `confinement.escape_attempts` and run in the worker; the bait (a file, a port,
shared memory, a secret) is laid here and taken away again.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import secrets
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corpora.errors import InputError
from corpora.sandbox.confinement.bubblewrap import INSIDE
from corpora.sandbox.confinement.layers import CLAIMS, Confinement
from corpora.sandbox.reporting.protocol import Job
from corpora.sandbox.workers.launch import ROOT
from corpora.sandbox.workers.worker import Worker, WorkerDiedError

ACTS = "corpora.sandbox.confinement.escape_attempts:managed"
MEGABYTES = 256
SECONDS = 10.0
_CREATE, _REMOVE = 0o1600, 0  # IPC_CREAT with mode 600, IPC_RMID


class IsolationError(InputError):
    """A layer that the level claims does not hold; nothing is run."""


def confirm(confinement: Confinement) -> None:
    """Start a worker and try everything.

    Raises IsolationError when a claimed layer does not bite, and WorkerDiedError when a worker of this level does not
    start at all.
    """
    with bait(confinement) as laid, contextlib.closing(Worker(confinement, secret=laid["secret"])) as worker:
        if why := worker.load(ACTS):
            raise WorkerDiedError(f"the worker cannot load the self-check: {why}")
        failures = [
            f"{layer}: could {act}" for layer in CLAIMS[confinement.level] for act in _tried(worker, layer, laid)
        ]
        if not _killed(worker):
            failures.append("kill: an endless loop was not ended")
    if failures:
        listed = "; ".join(failures)
        raise IsolationError(f"the sandbox claims level {confinement.level}, but a program {listed}; nothing is run")


def _tried(worker: Worker, layer: str, laid: dict[str, Any]) -> list[str]:
    job = Job(secrets.token_hex(8), "", (), MEGABYTES, 30, observer=ACTS, options=laid, probe=layer)
    watched = worker.run(job, SECONDS, SECONDS)
    if len(watched.results) != 1 or watched.problem:
        raise WorkerDiedError(f"the self-check of {layer} did not end: {watched.problem or watched.stopped}")
    return watched.lines


def _killed(worker: Worker) -> bool:
    job = Job(secrets.token_hex(8), "while True: pass", ("f()",), MEGABYTES, 30)
    watched = worker.run(job, 0.05, SECONDS)  # on a busy machine a death may take a while to be reported
    return watched.stopped == "timeout" and watched.status is not None


@contextlib.contextmanager
def bait(confinement: Confinement) -> Iterator[dict[str, Any]]:
    """What a program would find if a layer were missing."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="spellout-bait-")))
        (folder / "secret").write_text("not for programs", encoding="ascii")
        laid = {
            "file": str(folder / "secret"),
            "beside": f"{INSIDE}/corpora/errors.py"
            if confinement.level == "A"
            else str(ROOT / "corpora" / "errors.py"),
            "secret": secrets.token_hex(8),
            "pid": os.getpid(),
            "hostname": socket.gethostname(),
            "megabytes": MEGABYTES,
        }
        if sys.platform == "linux":
            laid["port"] = _listening(stack, socket.AF_INET, ("127.0.0.1", 0))[1]
            laid["abstract"] = f"\0spellout-{laid['secret']}"
            _listening(stack, socket.AF_UNIX, laid["abstract"])
            laid["shm_key"] = _shared_memory(stack)
        yield laid


def _listening(stack: contextlib.ExitStack, family: int, address: Any) -> Any:
    server = stack.enter_context(socket.socket(family))
    server.bind(address)
    server.listen(1)
    return server.getsockname()


def _shared_memory(stack: contextlib.ExitStack) -> int:
    """The key of a segment of System V shared memory."""
    libc = ctypes.CDLL(None, use_errno=True)
    key = secrets.randbelow(2**30) + 1
    segment = libc.shmget(key, 4096, _CREATE)
    if segment >= 0:
        stack.callback(libc.shmctl, segment, _REMOVE, None)
    return key
