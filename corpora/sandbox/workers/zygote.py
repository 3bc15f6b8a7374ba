"""The process that forks one child per program. Thin: standard library only, and it never reads what a program writes.

Control messages, one JSON line each. From the caller: `{"op": "job", "seconds": …}` with three descriptors (job,
standard output, report); `{"op": "kill"}`; `{"op": "load", "observer": "module:Class"}`. To the caller: `{"ready": …}`
once, `{"exit": wait status}` per job, `{"loaded": ""}` or `{"loaded": why not}`.

The caller watches the time of each call; after the `seconds` of the whole job the zygote ends it unasked, also when the
caller is stopped. When the control socket closes, the child dies, then what it started, then the zygote. A child whose
zygote dies is killed by the kernel.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import io
import json
import marshal
import os
import select
import signal
import socket
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from corpora.sandbox.confinement import capabilities
from corpora.sandbox.confinement.landlock import HIGH_DESCRIPTOR
from corpora.sandbox.confinement.layers import InnerLayers
from corpora.sandbox.execution.task import run_job
from corpora.sandbox.reporting.protocol import REPORT_FD, STDOUT_LIMIT, Job
from corpora.sandbox.reporting.report_writer import Report

# Imported once here and not in every program: what benchmark programs import most.
_WARM = "bisect collections copy dataclasses datetime functools hashlib heapq itertools math operator re string typing"
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36  # include/uapi/linux/prctl.h
# How long what a program started may go on starting more while it is ended.
_LEFTOVERS = 5.0
_CONTROL_FD = 3


class Zygote:
    """Serves one caller over `control` until it hangs up."""

    def __init__(self, control: socket.socket, root: str, layers: InnerLayers) -> None:
        self._control = control
        self._root = root
        self._layers = layers
        self._child, self._deadline = 0, 0.0
        self._prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None
        self._observers: dict[str, Any] = {}
        self._ours: dict[str, ModuleType] = {}
        self._wake, wake = os.pipe()
        os.set_blocking(wake, False)
        os.set_blocking(self._wake, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)

    def serve(self) -> None:
        """Answer until end of file, or SIGTERM."""
        self._hide()
        signal.signal(signal.SIGTERM, _leave)
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        poll.register(self._wake, select.POLLIN)
        try:
            self._say({"ready": os.getpid()})
            while True:
                ready = {fd for fd, _ in poll.poll(self._patience())}
                if self._wake in ready:
                    os.read(self._wake, 512)
                    self._reap()
                if self._control.fileno() in ready and not self._listen():
                    break
                if self._child and time.monotonic() >= self._deadline:
                    self._kill()
        finally:
            self._end()

    def _patience(self) -> float | None:
        """Milliseconds to wait for a message: until a running job has to be over."""
        left = self._deadline - time.monotonic()
        return 1000 * min(max(left, 0.001), 1e6) if self._child else None

    def _say(self, message: dict[str, object]) -> None:
        self._control.sendall(json.dumps(message).encode() + b"\n")

    def _listen(self) -> bool:
        data, fds, _, _ = socket.recv_fds(self._control, 4096, 3)
        if not data:
            return False
        for line in data.splitlines():
            message = json.loads(line)
            if message["op"] == "job":
                self._fork(fds, message["seconds"])
            elif message["op"] == "kill":
                self._kill()
            else:
                self._say({"loaded": self._load(message["observer"])})
        return True

    def _load(self, name: str) -> str:
        module, _, attribute = name.partition(":")
        sys.path.append(self._root)
        sys.modules.update(self._ours)
        try:
            self._observers[name] = getattr(importlib.import_module(module), attribute)
        except (ImportError, AttributeError) as error:
            return f"{type(error).__name__}: {error}"
        finally:
            sys.path.remove(self._root)
            self._hide()
        return ""

    def _hide(self) -> None:
        """Our modules are none that a program can import, or finds in `sys.modules`; observers keep what they hold."""
        for name, module in list(sys.modules.items()):
            if _from(module, self._root):
                self._ours[name] = sys.modules.pop(name)

    def _fork(self, fds: list[int], seconds: float) -> None:
        gc.freeze()
        self._deadline, zygote = time.monotonic() + seconds, os.getpid()
        self._child = os.fork()
        if self._child == 0:
            self._become_program(fds, zygote)
        for fd in fds:
            os.close(fd)

    def _become_program(self, fds: list[int], zygote: int) -> NoReturn:
        """In the child: descriptors, limits, then the program. Never returns; a failure of ours is exit status 70."""
        exit_now, write = os._exit, os.write  # locals: a program may replace what the modules hold
        status = 70
        try:
            if self._prctl:
                self._prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            if os.getppid() != zygote:
                exit_now(status)  # it died before the kernel was told
            os.setsid()
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            with os.fdopen(fds[0], "rb") as file:
                job = Job(**marshal.load(file))  # the caller's own, and cheaper than JSON right after a fork
            self._arrange(fds)
            if job.probe:
                self._probe(job)
            self._layers.put_on(job.megabytes, job.cpu_seconds, STDOUT_LIMIT)
            run_job(job, self._observers[job.observer] if job.observer else None)
            status = 0
        except BaseException as error:  # noqa: BLE001 - the last frame of this process: say it, never run the zygote's loop
            with contextlib.suppress(BaseException):
                write(REPORT_FD, f"harness: {type(error).__name__}: {error}\n".encode("ascii", "replace"))
        finally:
            exit_now(status)
        raise AssertionError("a process that has exited goes on")

    def _probe(self, job: Job) -> NoReturn:
        """Instead of a program: try what can be done with one layer on."""
        managed = self._observers[job.observer]
        self._layers.put_on(job.megabytes, job.cpu_seconds, STDOUT_LIMIT, only=job.probe)
        report = Report(job.nonce)
        for act in managed(job.probe, job.options):
            report.line(act)
        report.result({"status": "ok", "stdout_end": 0})
        os._exit(0)

    def _arrange(self, fds: list[int]) -> None:
        """Place the descriptors and close the rest.

        0: nowhere (as in the zygote); 1: the standard output file; 2: a file of its own, where a system has such files
        in memory; 3: the report.
        """
        report = os.dup2(fds[2], HIGH_DESCRIPTOR - 1)
        os.dup2(fds[1], 1)
        os.dup2(os.memfd_create("stderr") if sys.platform == "linux" else 0, 2)
        os.dup2(report, REPORT_FD)
        os.closerange(REPORT_FD + 1, HIGH_DESCRIPTOR)

    def _kill(self) -> None:
        if self._child:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._child, signal.SIGKILL)

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self._child:
                self._end_leftovers(pid)
                self._child = 0
                self._say({"exit": status})

    def _end(self) -> None:
        """End the child, and what it started."""
        child, self._child = self._child, 0
        if not child:
            return
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        self._end_leftovers(child)

    def _end_leftovers(self, leader: int) -> None:
        """End what a program started: its session, and orphans that came to us (where /proc names them)."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGKILL)
        children = Path(f"/proc/self/task/{os.getpid()}/children")
        over = time.monotonic() + _LEFTOVERS
        while time.monotonic() < over:
            try:
                left = [int(pid) for pid in children.read_text(encoding="ascii").split()]
            except OSError:
                return
            if not left:
                return
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            for pid in left:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)


def _leave(*_: object) -> NoReturn:
    raise SystemExit(0)


def _from(module: ModuleType, root: str) -> bool:
    places = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]
    return any(str(place).startswith(f"{root}/") for place in places if place)


class _Bounded(io.FileIO):
    """Standard error, of which the beginning is kept: what comes after the limit on files is dropped, and no error."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


def _streams() -> None:
    """Standard streams on 0, 1 and 2, made once here; a child only puts other files behind the numbers."""
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), encoding="utf-8")
    out = io.BufferedWriter(io.FileIO(1, "w", closefd=False))
    sys.stdout = io.TextIOWrapper(out, encoding="utf-8", errors="backslashreplace", newline="\n")
    err = io.BufferedWriter(_Bounded(2, "w", closefd=False))
    sys.stderr = io.TextIOWrapper(err, encoding="utf-8", errors="backslashreplace", write_through=True)
    vars(sys).update(__stdin__=sys.stdin, __stdout__=sys.stdout, __stderr__=sys.stderr)


def main(settings: str) -> None:
    """Entry point of the worker process.

    settings: as JSON, the control descriptor, the folder that holds our packages (for observers only), the layers to
    put on, the paths that programs may read, and how many tasks they may have.
    """
    told = json.loads(settings)
    for name in [name for name in os.environ if name == "PWD" or name.startswith("PYTHON")]:
        del os.environ[name]  # they steer the interpreter, which has read them
    root = told["root"]
    for name in _WARM.split():
        importlib.import_module(name)
    sys.path[:] = [entry for entry in sys.path if entry != root]
    _streams()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    # Out of the high numbers that a caller with many files gives it: a child closes the low ones.
    if told["control"] != _CONTROL_FD:
        os.dup2(told["control"], _CONTROL_FD, inheritable=False)
        os.close(told["control"])
    if "capabilities" in told["layers"]:
        capabilities.drop()
    with socket.socket(fileno=_CONTROL_FD) as control:
        Zygote(control, root, InnerLayers(told["layers"], told["readable"], told.get("tasks", 0))).serve()
