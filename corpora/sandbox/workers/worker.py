"""The caller's side of a worker: start it, give it a job, watch the clock, end it. It reads reports; it runs nothing.

A worker that stops answering is killed from outside with everything in it, and the next job gets a new one.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import marshal
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection
from typing import Any

from corpora.deadline import current_deadline
from corpora.sandbox.confinement.control_group import ControlGroup
from corpora.sandbox.confinement.layers import Confinement
from corpora.sandbox.reporting.protocol import STDOUT_LIMIT, Job
from corpora.sandbox.reporting.report_reader import Reader, Watched
from corpora.sandbox.workers.launch import PACKAGES, MissingError, environment, worker_command

# How long a killed program may take to be reported dead before its whole worker is killed.
GRACE = 0.1
# How long a worker that is hung up on may take to end what its programs left behind.
HANG_UP = 2.0
# After how many seconds the report of a running program is read, at first and when nothing comes for long.
FIRST_LOOK, LAST_LOOK = 0.002, 0.02
_PIPE_BYTES = 1 << 20
# What the zygote gives a job beyond the time of its calls, so that it is the caller who ends it.
_PATIENCE = 1.0
_LONGEST_ANSWER = 1 << 16


class WorkerDiedError(Exception):
    """The worker ended or stopped answering; the text says how.

    late: a killed program was not reported dead; taken: a job had been handed over before.
    """

    def __init__(self, message: str, *, late: bool = False, taken: bool = True) -> None:
        super().__init__(message)
        self.late = late
        self.taken = taken


class Worker:
    """One zygote, confined as told, and the socket to it. Raises WorkerDiedError when it does not start."""

    def __init__(
        self, confinement: Confinement, hash_seed: int = 0, packages: Collection[str] = PACKAGES, secret: str = ""
    ) -> None:
        self._control, theirs = socket.socketpair()
        self._observers: set[str] = set()
        self._pending = b""
        self.packages = frozenset(packages)
        self.confinement = confinement
        self.jobs = 0
        self._group = ControlGroup()
        with theirs:
            try:
                self._process = subprocess.Popen(
                    self._group.command(worker_command(confinement, theirs.fileno(), hash_seed, self.packages)),
                    env={**environment(hash_seed), **({"SPELLOUT_SECRET": secret} if secret else {})},
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,
                    cwd="/",
                )
            except (OSError, MissingError) as error:
                self._control.close()
                self._group.remove()
                raise WorkerDiedError(f"no worker process: {error}") from error
        try:
            self._answer("ready", 30.0)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the worker and everything in it.

        Where the kernel does not end it all with the zygote (no process namespace), the zygote is hung up on first: it
        ends what its program started.
        """
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)  # also where a fork of this process holds it too
        self._control.close()
        try:
            if "pid" not in self.confinement.layers:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(HANG_UP)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            assert self._process.stderr is not None
            self._process.stderr.close()
            self._group.remove()

    def abandon(self) -> None:
        """Let go without ending it: in a forked child, whose parent goes on using the worker."""
        self._control.close()
        self._process.returncode = 0  # not our child: nothing to wait for
        assert self._process.stderr is not None
        self._process.stderr.close()

    def load(self, observer: str) -> str:
        """Import an observer in the zygote, once; returns why it could not be loaded, or ""."""
        if observer in self._observers:
            return ""
        self._send({"op": "load", "observer": observer})
        why = str(self._answer("loaded", 30.0))
        if not why:
            self._observers.add(observer)
        return why

    def run(self, job: Job, seconds: float, grace: float = GRACE) -> Watched:
        """Run one job; `seconds` of wall time for each of its calls, `grace` more for a killed one to be reported dead.

        Raises WorkerDiedError.
        """
        self.jobs += 1
        watched = Watched()
        with _memory_file() as task, _memory_file() as stdout:
            _write_all(task.fileno(), marshal.dumps(vars(job)))
            os.lseek(task.fileno(), 0, os.SEEK_SET)
            report, theirs = _report_pipe()
            try:
                try:
                    whole = seconds * job.expected + 2 * grace + _PATIENCE
                    self._send({"op": "job", "seconds": whole}, [task.fileno(), stdout.fileno(), theirs])
                finally:
                    os.close(theirs)
                os.set_blocking(report, False)
                self._watch(job, seconds, grace, report, watched)
            finally:
                os.close(report)
            watched.stdout = os.pread(stdout.fileno(), STDOUT_LIMIT, 0)
        return watched

    def _watch(self, job: Job, seconds: float, grace: float, report: int, watched: Watched) -> None:
        """Wait for the end, and read on the way: now and then, as to be woken by every line would cost more.

        A result gives the next call its time. The last one gives no more than the grace to end in, so that a program
        that writes results of its own has the time of its calls, and not a second more. A deadline ends it earlier.
        """
        start, overall = time.monotonic(), current_deadline().end
        deadline = min(start + seconds, overall)
        reader = Reader(job.nonce, watched, job.expected, observed=bool(job.observer))
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        killed, look = False, FIRST_LOOK
        while watched.status is None:
            done, came = len(watched.results), False
            ended = poll.poll(1000 * max(0.0, min(look, deadline - time.monotonic())))
            while reader.read(report):
                came = True
            if ended:
                watched.status = self._exit_status(grace)
                break
            look = FIRST_LOOK if came else min(2 * look, LAST_LOOK)
            now = time.monotonic()
            if len(watched.results) > done and not killed:
                deadline = max(deadline, now + grace) if reader.complete else min(now + seconds, overall)
            late = now >= deadline
            if (late or reader.spoilt or reader.full) and not killed:
                watched.stopped = "timeout" if late else "" if reader.spoilt else "output"
                self._send({"op": "kill"})
                killed, deadline = True, now + grace
            elif late:
                raise WorkerDiedError("a killed program was not reported dead", late=True)
        while reader.read(report):
            continue
        watched.seconds = time.monotonic() - start

    def _exit_status(self, seconds: float) -> int:
        status = self._answer("exit", seconds)
        if type(status) is not int:
            raise WorkerDiedError("the worker did not say how a program ended")
        return status

    def _send(self, message: dict[str, object], fds: list[int] | None = None) -> None:
        if self._process.poll() is not None:
            raise WorkerDiedError("the worker is gone", taken=message["op"] == "kill")
        try:
            socket.send_fds(self._control, [json.dumps(message).encode() + b"\n"], fds or [])
        except OSError as error:
            raise WorkerDiedError(f"the worker is gone: {error}", taken=message["op"] == "kill") from error

    def _answer(self, key: str, seconds: float) -> Any:
        deadline = time.monotonic() + seconds
        while b"\n" not in self._pending:
            self._control.settimeout(max(0.001, deadline - time.monotonic()))
            try:
                data = self._control.recv(4096)
            except OSError as error:
                raise WorkerDiedError(f"no answer ({key}): {error}") from error
            if not data:
                raise WorkerDiedError(f"the worker ended: {self._last_words()}")
            self._pending += data
            if len(self._pending) > _LONGEST_ANSWER:
                raise WorkerDiedError("the worker's answer has no end")
        line, _, self._pending = self._pending.partition(b"\n")
        try:
            return json.loads(line)[key]
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise WorkerDiedError(f"the worker did not answer what it was asked ({key})") from error

    def _last_words(self) -> str:
        assert self._process.stderr is not None
        self._process.wait()
        words = self._process.stderr.read().decode("utf-8", "replace").strip()
        return words.splitlines()[-1] if words else f"exit status {self._process.returncode}"


def _write_all(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]


def _report_pipe() -> tuple[int, int]:
    """A pipe as large as may be, so that a program seldom waits for its report to be read."""
    report, theirs = os.pipe()
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # more than this user may have: the usual size does
            fcntl.fcntl(theirs, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    return report, theirs


def _memory_file() -> Any:
    """A file without a name, in memory where the system has such files."""
    if sys.platform == "linux":
        return os.fdopen(os.memfd_create("spellout"), "w+b", buffering=0)
    return tempfile.TemporaryFile(buffering=0)
