"""The caller's side of a worker: starts it, sends it jobs, watches the clock and ends it.

It reads reports and runs nothing.

A worker that stops answering is killed with everything in it, and the next job gets a new one.
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
from collections.abc import Collection, Iterable
from typing import Any

from corpora.deadline import current_deadline
from corpora.sandbox.confinement.control_group import ControlGroup
from corpora.sandbox.confinement.layers import Confinement
from corpora.sandbox.reporting.protocol import STDOUT_LIMIT, Job
from corpora.sandbox.reporting.report_reader import JobReport, ReportReader
from corpora.sandbox.workers.launch import (
    WORKER_PACKAGES,
    MissingRequirementError,
    environment_variables,
    worker_command,
)

# Seconds until the end of a killed program must be reported; then the whole worker is killed.
KILL_GRACE = 0.1
# Seconds that a worker has to end the remaining processes of its programs after its socket is closed.
SHUTDOWN_SECONDS = 2.0
# Seconds between two readings of the report: at first, and when nothing has come for some time.
MIN_POLL_SECONDS, MAX_POLL_SECONDS = 0.002, 0.02
_PIPE_BYTES = 1 << 20
# Seconds that the zygote adds to the time of all calls, so that normally the caller ends a job.
_ZYGOTE_MARGIN = 1.0
_MAX_ANSWER_BYTES = 1 << 16


class WorkerDiedError(Exception):
    """The worker ended or stopped answering; the message says how.

    Attributes:
        unresponsive: The end of a killed program was not reported in time.
        job_sent: A job had been sent to the worker.
    """

    def __init__(self, message: str, *, unresponsive: bool = False, job_sent: bool = True) -> None:
        super().__init__(message)
        self.late = unresponsive
        self.taken = job_sent


class Worker:
    """One zygote, its confinement, and the socket to it. It is ready some time after it was started.

    Args:
        confinement: The level and its layers.
        hash_seed: PYTHONHASHSEED of the worker.
        packages: Packages of this project that it can import.
        secret: A value for its environment, as bait for the self-check.

    Raises:
        WorkerDiedError: No process can be started.
    """

    def __init__(
        self,
        confinement: Confinement,
        hash_seed: int = 0,
        packages: Collection[str] = WORKER_PACKAGES,
        secret: str = "",
    ) -> None:
        self._control, theirs = socket.socketpair()
        self._observers: set[str] = set()
        self._loading: list[str] = []  # observers whose imports were asked for and not yet reported
        self._pending = b""
        self.packages = frozenset(packages)
        self.confinement = confinement
        self.jobs = 0
        self._is_ready = False
        self._group = ControlGroup()
        with theirs:
            try:
                self._process = subprocess.Popen(
                    self._group.command(worker_command(confinement, theirs.fileno(), hash_seed, self.packages)),
                    env={**environment_variables(hash_seed), **({"SPELLOUT_SECRET": secret} if secret else {})},
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,
                    cwd="/",
                )
            except (OSError, MissingRequirementError) as error:
                self._control.close()
                self._group.remove()
                raise WorkerDiedError(f"no worker process: {error}") from error

    def wait_until_ready(self) -> None:
        """Wait for the start. Each worker needs it once, before the first job.

        Raises:
            WorkerDiedError: It does not start.
        """
        if not self._is_ready:
            self._receive("ready", 30.0)
            self._is_ready = True

    def suits(self, confinement: Confinement, package: str) -> bool:
        """Whether the worker has this level and can import a package; "" is none."""
        return self.confinement == confinement and (not package or package in self.packages)

    def close(self) -> None:
        """End the worker and everything in it.

        Without a process namespace, the kernel does not end all processes with the zygote. The socket is closed first
        then, so that the zygote ends what its program started.
        """
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)  # also if a fork of this process holds it
        self._control.close()
        try:
            if "pid" not in self.confinement.layers:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(SHUTDOWN_SECONDS)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            assert self._process.stderr is not None
            self._process.stderr.close()
            self._group.remove()

    def abandon(self) -> None:
        """Release the worker without ending it: in a forked child, whose parent still uses it."""
        self._control.close()
        self._process.returncode = 0  # not a child of this process: nothing to wait for
        assert self._process.stderr is not None
        self._process.stderr.close()

    def load(self, observer: str) -> str:
        """Import an observer in the zygote, once. Returns why it cannot be loaded, or ""."""
        self._finish_loading()
        if observer in self._observers:
            return ""
        self.begin_loading([observer])
        return self._finish_loading()

    def begin_loading(self, observers: Iterable[str]) -> None:
        """Have the zygote import observers that will be needed, without waiting."""
        for observer in observers:
            self._send({"op": "load", "observer": observer})
            self._loading.append(observer)

    def _finish_loading(self) -> str:
        """Wait for the observers that are being imported. Returns why the last one cannot be loaded, or ""."""
        why = ""
        for observer in self._loading:
            why = str(self._receive("loaded", 30.0))
            if not why:
                self._observers.add(observer)
        self._loading.clear()
        return why

    def run(self, job: Job, seconds: float, grace: float = KILL_GRACE) -> JobReport:
        """Run one job.

        Args:
            job: The program and its calls.
            seconds: Wall time of each call.
            grace: Seconds until the end of a killed program must be reported.

        Raises:
            WorkerDiedError: The worker ended or stopped answering.
        """
        self._finish_loading()
        self.jobs += 1
        watched = JobReport()
        with _memory_file() as task, _memory_file() as stdout:
            _write_all(task.fileno(), marshal.dumps(vars(job)))
            os.lseek(task.fileno(), 0, os.SEEK_SET)
            report, theirs = _report_pipe()
            try:
                try:
                    total = seconds * job.num_results + 2 * grace + _ZYGOTE_MARGIN
                    self._send({"op": "job", "seconds": total}, [task.fileno(), stdout.fileno(), theirs])
                finally:
                    os.close(theirs)
                os.set_blocking(report, False)
                self._watch(job, seconds, grace, report, watched)
            finally:
                os.close(report)
            size = os.fstat(stdout.fileno()).st_size
            watched.stdout = os.pread(stdout.fileno(), min(size, STDOUT_LIMIT), 0)
        return watched

    def _watch(self, job: Job, seconds: float, grace: float, report: int, watched: JobReport) -> None:
        """Wait for the end of the job and poll its report, because waking for every line would cost more.

        Each result starts the time of the next call. After the last result the program has only the grace period to
        end, so a program that forges results gets the time of its calls and no more. A deadline in force ends it
        earlier.
        """
        start, overall = time.monotonic(), current_deadline().end
        deadline = min(start + seconds, overall)
        reader = ReportReader(job.nonce, watched, job.num_results, observed=bool(job.observer))
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        killed, interval = False, MIN_POLL_SECONDS
        while watched.status is None:
            done, received = len(watched.calls), False
            ended = poll.poll(1000 * max(0.0, min(interval, deadline - time.monotonic())))
            while reader.read(report):
                received = True
            if ended:
                watched.status = self._exit_status(grace)
                break
            interval = MIN_POLL_SECONDS if received else min(2 * interval, MAX_POLL_SECONDS)
            now = time.monotonic()
            if len(watched.calls) > done and not killed:
                deadline = max(deadline, now + grace) if reader.is_complete else min(now + seconds, overall)
            late = now >= deadline
            if (late or reader.is_tampered or reader.is_full) and not killed:
                watched.stop_reason = "timeout" if late else "" if reader.is_tampered else "output"
                self._send({"op": "kill"})
                killed, deadline = True, now + grace
            elif late:
                raise WorkerDiedError("the end of a killed program was not reported", unresponsive=True)
        while reader.read(report):
            continue
        watched.seconds = time.monotonic() - start

    def _exit_status(self, seconds: float) -> int:
        status = self._receive("exit", seconds)
        if type(status) is not int:
            raise WorkerDiedError("the worker did not report how a program ended")
        return status

    def _send(self, message: dict[str, object], fds: list[int] | None = None) -> None:
        if self._process.poll() is not None:
            raise WorkerDiedError("the worker is gone", job_sent=message["op"] == "kill")
        try:
            socket.send_fds(self._control, [json.dumps(message).encode() + b"\n"], fds or [])
        except OSError as error:
            raise WorkerDiedError(f"the worker is gone: {error}", job_sent=message["op"] == "kill") from error

    def _receive(self, key: str, seconds: float) -> Any:
        deadline = time.monotonic() + seconds
        while b"\n" not in self._pending:
            self._control.settimeout(max(0.001, deadline - time.monotonic()))
            try:
                data = self._control.recv(4096)
            except OSError as error:
                raise WorkerDiedError(f"no answer ({key}): {error}") from error
            if not data:
                raise WorkerDiedError(f"the worker ended: {self._exit_message()}")
            self._pending += data
            if len(self._pending) > _MAX_ANSWER_BYTES:
                raise WorkerDiedError("the worker sent an answer without end")
        line, _, self._pending = self._pending.partition(b"\n")
        try:
            return json.loads(line)[key]
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise WorkerDiedError(f"the worker sent an unexpected answer ({key})") from error

    def _exit_message(self) -> str:
        assert self._process.stderr is not None
        self._process.wait()
        message = self._process.stderr.read().decode("utf-8", "replace").strip()
        return message.splitlines()[-1] if message else f"exit status {self._process.returncode}"


def _write_all(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]


def _report_pipe() -> tuple[int, int]:
    """A pipe with a large buffer, so that a program rarely waits for its report to be read."""
    report, theirs = os.pipe()
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # beyond the limit of this user: the default size is enough
            fcntl.fcntl(theirs, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    return report, theirs


def _memory_file() -> Any:
    """An unnamed file, in memory where the system supports it."""
    if sys.platform == "linux":
        return os.fdopen(os.memfd_create("spellout"), "w+b", buffering=0)
    return tempfile.TemporaryFile(buffering=0)
