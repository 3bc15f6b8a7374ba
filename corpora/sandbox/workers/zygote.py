"""The worker process: forks one child per program. Standard library only; it never reads what a program writes.

Control messages are one JSON line each. From the caller: `{"op": "job", "seconds": …}` with three descriptors (job,
standard output, report); `{"op": "kill"}`; `{"op": "load", "observer": "module:Class"}`. To the caller: `{"ready": …}`
once, `{"exit": wait status}` per job, `{"loaded": ""}` or `{"loaded": reason}`.

The caller watches the time of each call. After the `seconds` of the whole job, the zygote ends it by itself, for
example because the caller is stopped. When the control socket closes, the zygote kills the child and what it started,
and exits. The kernel kills a child whose zygote dies.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import json
import marshal
import os
import select
import signal
import site
import socket
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from corpora.sandbox.confinement import capabilities
from corpora.sandbox.confinement.landlock import HIGH_DESCRIPTOR
from corpora.sandbox.confinement.layers import ChildLayers
from corpora.sandbox.execution.standard_streams import install_streams
from corpora.sandbox.execution.task import run_job
from corpora.sandbox.reporting.protocol import FILENAME, REPORT_FD, STDOUT_LIMIT, Job
from corpora.sandbox.reporting.report_writer import ReportWriter

# The modules that benchmark programs import most. They are imported once here and not once per program.
_PRELOADED = (
    "bisect collections copy dataclasses datetime functools hashlib heapq itertools math operator re string typing"
)
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36  # include/uapi/linux/prctl.h
# Seconds until the zygote stops killing the descendants of a program that keep starting new ones.
_CLEANUP_SECONDS = 5.0
_CONTROL_FD = 3


class Zygote:
    """Serves one caller over `control` until the socket closes.

    Args:
        control: The control socket.
        root: The folder that contains the packages of this project.
        layers: The layers that each child applies.
    """

    def __init__(self, control: socket.socket, root: str, layers: ChildLayers) -> None:
        self._control = control
        self._root = root
        self._layers = layers
        self._child, self._deadline = 0, 0.0
        self._prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None
        self._observers: dict[str, Any] = {}
        self._own_modules: dict[str, ModuleType] = {}
        self._wake, wake = os.pipe()
        os.set_blocking(wake, False)
        os.set_blocking(self._wake, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)

    def serve(self) -> None:
        """Handle messages until end of file or SIGTERM."""
        self._hide_own_modules()
        signal.signal(signal.SIGTERM, _exit)
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        poll.register(self._wake, select.POLLIN)
        try:
            self._send({"ready": os.getpid()})
            while True:
                ready = {fd for fd, _ in poll.poll(self._poll_timeout())}
                if self._wake in ready:
                    os.read(self._wake, 512)
                    self._reap()
                if self._control.fileno() in ready and not self._receive():
                    break
                if self._child and time.monotonic() >= self._deadline:
                    self._kill()
        finally:
            self._kill_all()

    def _poll_timeout(self) -> float | None:
        """Milliseconds to wait for a message: until the deadline of the running job."""
        left = self._deadline - time.monotonic()
        return 1000 * min(max(left, 0.001), 1e6) if self._child else None

    def _send(self, message: dict[str, object]) -> None:
        self._control.sendall(json.dumps(message).encode() + b"\n")

    def _receive(self) -> bool:
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
                self._send({"loaded": self._load(message["observer"])})
        return True

    def _load(self, name: str) -> str:
        module, _, attribute = name.partition(":")
        sys.path.append(self._root)
        sys.modules.update(self._own_modules)
        try:
            self._observers[name] = getattr(importlib.import_module(module), attribute)
        except (ImportError, AttributeError) as error:
            return f"{type(error).__name__}: {error}"
        finally:
            sys.path.remove(self._root)
            self._hide_own_modules()
        return ""

    def _hide_own_modules(self) -> None:
        """Remove the project's modules from `sys.modules`, so that no program can import or find them.

        Observers keep theirs.
        """
        for name, module in list(sys.modules.items()):
            if _is_below(module, self._root):
                self._own_modules[name] = sys.modules.pop(name)

    def _fork(self, fds: list[int], seconds: float) -> None:
        gc.freeze()
        self._deadline, zygote = time.monotonic() + seconds, os.getpid()
        self._child = os.fork()
        if self._child == 0:
            self._become_program(fds, zygote)
        for fd in fds:
            os.close(fd)

    def _become_program(self, fds: list[int], zygote: int) -> NoReturn:
        """In the child: arrange descriptors, apply limits, run the program.

        Exits with status 70 if this module fails.
        """
        exit_now, write = os._exit, os.write  # locals, because a program may replace them in their modules
        status = 70
        try:
            if self._prctl:
                self._prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            if os.getppid() != zygote:
                exit_now(status)  # the zygote died before prctl took effect
            os.setsid()
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            # written by the caller; cheaper than JSON, or than a file object, right after a fork
            job = Job(**marshal.loads(os.read(fds[0], os.fstat(fds[0]).st_size)))
            self._place_descriptors(fds)
            if job.probe:
                self._run_probe(job)
            self._layers.apply(job.megabytes, job.cpu_seconds, STDOUT_LIMIT)
            run_job(job, self._observers[job.observer] if job.observer else None)
            status = 0
        except BaseException as error:  # noqa: BLE001 - the last frame of this process: report it, never enter the loop of the zygote
            with contextlib.suppress(BaseException):
                write(REPORT_FD, f"harness: {type(error).__name__}: {error}\n".encode("ascii", "replace"))
        finally:
            exit_now(status)
        raise AssertionError("unreachable: the process has exited")

    def _run_probe(self, job: Job) -> NoReturn:
        """Instead of a program: run the escape attempts of one layer."""
        find_successes = self._observers[job.observer]
        self._layers.apply(job.megabytes, job.cpu_seconds, STDOUT_LIMIT, only=job.probe)
        report = ReportWriter(job.nonce)
        for attempt in find_successes(job.probe, job.options):
            report.write_line(attempt)
        report.write_result({"status": "ok", "stdout_end": 0})
        os._exit(0)

    def _place_descriptors(self, fds: list[int]) -> None:
        """Arrange the file descriptors and close all others.

        0: empty, like that of the zygote; 1: the file for standard output; 2: a file in memory for standard error,
        where the system supports it; 3: the report.
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
                self._kill_descendants(pid)
                self._child = 0
                self._send({"exit": status})

    def _kill_all(self) -> None:
        """Kill the child and the processes that it started."""
        child, self._child = self._child, 0
        if not child:
            return
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        self._kill_descendants(child)

    def _kill_descendants(self, leader: int) -> None:
        """Kill the session of a program, and orphans that were reparented to the zygote (where /proc lists them)."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGKILL)
        children = Path(f"/proc/self/task/{os.getpid()}/children")
        over = time.monotonic() + _CLEANUP_SECONDS
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


def _exit(*_: object) -> NoReturn:
    raise SystemExit(0)


def _is_below(module: ModuleType, root: str) -> bool:
    paths = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]
    return any(str(path).startswith(f"{root}/") for path in paths if path)


def _add_site_builtins() -> None:
    """Add the built-ins of an ordinary interpreter (`exit`, `help`) that the worker lacks, started without `site`."""
    site.setquit()
    site.setcopyright()
    site.sethelper()


def main(settings: str) -> None:
    """Entry point of the worker process.

    Args:
        settings: JSON with the control descriptor (`control`), the folder of the packages (`root`, for observers only),
            the `layers` to apply, the paths that programs may read (`readable`) and the maximum number of `tasks`.
    """
    options = json.loads(settings)
    for name in [name for name in os.environ if name == "PWD" or name.startswith("PYTHON")]:
        del os.environ[name]  # they configure the interpreter, which has read them
    root = options["root"]
    for name in _PRELOADED.split():
        importlib.import_module(name)
    sys.path[:] = [entry for entry in sys.path if entry != root]
    install_streams()
    _add_site_builtins()
    sys.argv[:] = sys.orig_argv[:] = [FILENAME]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    # Move it to a fixed low number: a caller with many open files passes a high one.
    if options["control"] != _CONTROL_FD:
        os.dup2(options["control"], _CONTROL_FD, inheritable=False)
        os.close(options["control"])
    if "capabilities" in options["layers"]:
        capabilities.drop_all()
    with socket.socket(fileno=_CONTROL_FD) as control:
        Zygote(control, root, ChildLayers(options["layers"], options["readable"], options.get("tasks", 0))).serve()
