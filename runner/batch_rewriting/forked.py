"""A child process by `fork`, which has all modules of its parent: it starts in a few milliseconds.

A fork copies the thread that calls it and no other. Locks that another thread holds stay locked in the child, so only a
process with a single thread may be forked (`can_fork`).
"""

from __future__ import annotations

import contextvars
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, NoReturn

TASKS = Path("/proc/self/task")


def can_fork() -> bool:
    """Whether this process has a single thread, those of libraries included. False where that is unknown."""
    try:
        return len(list(TASKS.iterdir())) == 1
    except OSError:
        return False


class ForkedProcess:
    """A child process that runs a function, with the interface of `subprocess.Popen` that its user needs.

    Args:
        serve: Runs in the child, given the stream of its questions and the stream of its answers.
    """

    def __init__(self, serve: Callable[[IO[bytes], IO[bytes]], None]) -> None:
        asked, ask = os.pipe()
        answered, answer = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            _child(serve, (asked, answer), (ask, answered))
        os.close(asked)
        os.close(answer)
        self.stdin: IO[bytes] = os.fdopen(ask, "wb")
        self.stdout: IO[bytes] = os.fdopen(answered, "rb")
        self._status: int | None = None

    def wait(self) -> int:
        """Waits for the end; returns the exit status, or minus the number of the signal that ended the child."""
        if self._status is None:
            _, status = os.waitpid(self.pid, 0)
            self._status = os.waitstatus_to_exitcode(status)
        return self._status

    def kill(self) -> None:
        """Kills the child."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)


def _child(serve: Callable[[IO[bytes], IO[bytes]], None], own: tuple[int, int], parents: tuple[int, int]) -> NoReturn:
    """The child: in its own session, so that an interrupt in the terminal reaches only its parent."""
    try:
        os.setsid()
        for descriptor in parents:
            os.close(descriptor)
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nothing, descriptor)
        with os.fdopen(own[0], "rb") as asked, os.fdopen(own[1], "wb") as answer:
            contextvars.Context().run(serve, asked, answer)  # a time limit of the parent is none of the child
    finally:
        os._exit(1)
