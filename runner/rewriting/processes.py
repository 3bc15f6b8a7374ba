"""Rewrites in worker processes with limits of time and memory, so that a crash affects only one file or row.

This covers what `rewrite.rewrite_source` cannot report itself: a parser that takes minutes, a tree that takes all
memory, a crash. A worker ends when its parent process ends and closes its standard input. Workers do not execute the
programs; calls run in the sandbox of the parent process.
"""

from __future__ import annotations

import atexit
import os
import pickle
import queue
import select
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial
from types import TracebackType
from typing import Any

from analyze.tokens.tokenizer import Tokenizer
from corpora.cores import usable_cores
from corpora.deadline import Deadline, OutOfTimeError, current_deadline, time_limit
from corpora.errors import InputError
from rewrite import Rewritten
from rewrite.cost.cost_limit import BUDGET
from rewrite.evidence.context import RewriteContext
from rewrite.pipeline.driver import rewrite_once
from rewrite.pipeline.recipes import PLANNED
from rewrite.pipeline.registration import external_recipe
from rewrite.planner.comparison import DEFAULT_EXAMPLES
from rewrite.planner.plan import Plan
from rewrite.planner.planning import plan_rewrite
from rewrite.rewriting import rewrite_with
from runner.rewriting.worker import HEAD, READY, write_message

SECONDS = 120.0
MEGABYTES = 4096
"""Limits per program. Files with tens of thousands of lines take minutes."""

_SERVE = "import sys; sys.path[:] = {path!r}; from runner.rewriting.worker import serve; serve({megabytes})"
_START_SECONDS = 600.0


class RewriteProcesses:
    """A thread-safe pool of at most `count` worker processes, started when needed.

    Args:
        count: number of processes.
        seconds: time limit per program.
        megabytes: memory limit per process.
    """

    def __init__(self, count: int = 1, *, seconds: float = SECONDS, megabytes: int = MEGABYTES) -> None:
        self.seconds = seconds
        self.megabytes = megabytes
        self._free: queue.LifoQueue[_RewriteProcess | None] = queue.LifoQueue()
        for _ in range(count):
            self._free.put(None)

    def __enter__(self) -> RewriteProcesses:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends all idle processes."""
        with suppress(queue.Empty):
            while True:
                process = self._free.get_nowait()
                if process is not None:
                    process.end()

    def rewrite(
        self,
        source: str,
        recipe: str = "decompose",
        *,
        filename: str = "",
        calls: Iterable[str] = (),
        unproven: str | None = None,
        cost: float | str | None = "usual",
        options: Mapping[str, Any] | None = None,
        budget: int = BUDGET,
    ) -> Rewritten:
        """`rewrite_source` in a worker process; calls run in the sandbox of this process.

        Args:
            source: the program.
            recipe: name of the recipe.
            filename: for error messages.
            calls: calls that give evidence for assumptions.
            unproven: as for `rewrite_source`.
            cost: as for `rewrite_source`; "usual" for the default.
            options: options of the rewrite by name.
            budget: token budget of a trace, for the recipe `planned`.

        Raises:
            InputError: as `rewrite_source`, or a limit is exceeded.
        """
        if recipe == PLANNED:
            return self.plan(source, calls, budget, seconds=self.seconds).rewritten(source)
        given = dict(options or {})
        with self._process() as process, time_limit(self.seconds):
            once = partial(self._once, process, source, recipe, filename, given)
            return rewrite_with(once, source, recipe, calls, unproven, cost, given)

    def plan(
        self,
        source: str,
        calls: Iterable[str],
        budget: int,
        tokenizer: Tokenizer | None = None,
        *,
        examples: int = DEFAULT_EXAMPLES,
        seconds: float = SECONDS,
    ) -> Plan:
        """`plan_rewrite` with rewrites in worker processes. Raises InputError as it does, or if a limit is exceeded."""
        with self._process() as process, time_limit(seconds):
            return plan_rewrite(
                source,
                calls,
                budget=budget,
                tokenizer=tokenizer,
                examples=examples,
                rewrite=lambda text, given: self._once(process, text, PLANNED, "", {}, given),
            )

    @contextmanager
    def _process(self) -> Iterator[_RewriteProcess]:
        """A free process. It has finished its imports, so that a time limit covers the rewrite alone."""
        process = self._free.get() or _RewriteProcess(self.megabytes)
        try:
            process.start()
            yield process
        finally:
            self._free.put(process)

    def _once(
        self,
        process: _RewriteProcess,
        source: str,
        recipe: str,
        filename: str,
        options: Mapping[str, Any],
        given: RewriteContext,
    ) -> Rewritten:
        if external_recipe(recipe) is not None:  # its code exists in this process only
            return rewrite_once(source, recipe, given, filename=filename, options=options)
        deadline = current_deadline()
        try:
            process.start()
            answer = process.ask((source, recipe, filename, options, given), deadline)
        except _ProcessDiedError as died:
            process.end()
            kind = InputError if deadline.left else OutOfTimeError
            raise kind(f"{died}", where=filename or "<source>") from None
        except BaseException:
            process.end()
            raise
        if isinstance(answer, Exception):
            raise answer
        assert isinstance(answer, Rewritten)
        return answer


@cache
def shared_processes() -> RewriteProcesses:
    """A pool that the whole process shares, with one worker per CPU core; closed at exit."""
    rewriters = RewriteProcesses(len(usable_cores()))
    atexit.register(rewriters.close)
    return rewriters


class _ProcessDiedError(Exception):
    """A worker process ended without an answer; the message is the reason."""


class _RewriteProcess:
    """A worker process, which is started when it is needed and again after it died."""

    def __init__(self, megabytes: int) -> None:
        self._megabytes = megabytes
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts the process and waits until it is ready; does nothing if it runs. Raises InputError if it dies."""
        if self._process is not None:
            return
        command = [sys.executable, "-P", "-c", _SERVE.format(path=sys.path, megabytes=self._megabytes)]
        pipe, none = subprocess.PIPE, subprocess.DEVNULL
        # In its own session, so that an interrupt in the terminal reaches only the command, which ends its workers.
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=none, start_new_session=True)
        try:
            self._bytes(len(READY), Deadline.after(_START_SECONDS))
        except _ProcessDiedError as died:
            self.end()
            raise InputError(str(died)) from None

    def ask(self, question: object, deadline: Deadline) -> object:
        """Sends a task and returns the answer before the deadline."""
        assert self._process is not None and self._process.stdin is not None
        try:
            write_message(self._process.stdin, question)
        except OSError:
            raise _ProcessDiedError(self._death()) from None
        length = int.from_bytes(self._bytes(HEAD, deadline), "big")
        return pickle.loads(self._bytes(length, deadline))

    def _bytes(self, count: int, deadline: Deadline) -> bytes:
        assert self._process is not None and self._process.stdout is not None
        descriptor, found = self._process.stdout.fileno(), bytearray()
        while len(found) < count:
            ready, _, _ = select.select([descriptor], [], [], deadline.left)
            if not ready:
                raise _ProcessDiedError(deadline.spent)
            part = os.read(descriptor, min(count - len(found), 1 << 20))
            if not part:
                raise _ProcessDiedError(self._death())
            found += part
        return bytes(found)

    def _death(self) -> str:
        assert self._process is not None
        status = self._process.wait()
        how = f"signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
        return f"the worker process ended with {how}"

    def end(self) -> None:
        """Kills the process."""
        if self._process is None:
            return
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        self._process.wait()
        self._process = None
