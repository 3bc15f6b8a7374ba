"""Rewrites in a worker process with limits of time and memory, so that a crash affects only one file or row.

This covers what `rewrite.rewrite_source` cannot report itself: a parser that takes minutes, a tree that takes all
memory, a crash. A worker ends when its standard input is closed, as happens when the parent process ends. Workers do
not execute the programs; calls run in the sandbox of the parent process. Recipes from outside this package run in the
parent process too, since the worker cannot import their code.
"""

from __future__ import annotations

import atexit
import os
import pickle
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

from corpora.deadline import Deadline, OutOfTimeError, current_deadline, time_limit
from corpora.errors import InputError
from corpora.failures import ForeignCodeError
from rewrite import Rewritten
from rewrite.cost.budget import BUDGET
from rewrite.evidence.context import RewriteContext
from rewrite.pipeline.driver import rewrite_once
from rewrite.pipeline.recipes import find_recipe, recipes
from rewrite.planner.plan import DEFAULT_EXAMPLES, Plan
from rewrite.rewriting import rewrite_with
from runner.batch_rewriting.forked import ForkedProcess, can_fork
from runner.batch_rewriting.rewrite_worker import HEAD, READY, serve, write_message

if TYPE_CHECKING:
    from analyze.tokens.tokenizer import Tokenizer

SECONDS = 120.0
MEGABYTES = 4096
"""Limits per program. Files with tens of thousands of lines take minutes."""

_SERVE = "import sys; sys.path[:] = {path!r}; from spellout.packages import load; "  # beside a module of the user's
_SERVE += "load('runner.batch_rewriting.rewrite_worker').serve({megabytes}, sys.stdin.buffer, sys.stdout.buffer)"
_START_SECONDS = 600.0
Made = TypeVar("Made")


class RewriteProcess:
    """A worker process for rewrites, which is started when it is needed and again after it died.

    Args:
        megabytes: its memory limit.
    """

    def __init__(self, megabytes: int = MEGABYTES) -> None:
        self.megabytes = megabytes
        self._process: subprocess.Popen[bytes] | ForkedProcess | None = None
        self._awaited = 0  # answers

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
        seconds: float = SECONDS,
    ) -> Rewritten:
        """`rewrite_source` in the worker process; calls run in the sandbox of this process.

        The recipes `planned` and `repair` use only the source, the calls, the budget and the time limit.

        Args:
            source: the program.
            recipe: name of the recipe.
            filename: for error messages.
            calls: calls that give evidence for assumptions.
            unproven: as for `rewrite_source`.
            cost: as for `rewrite_source`; "usual" for the default.
            options: options of the rewrite by name.
            budget: token budget of a trace, for the recipes `planned` and `repair`.
            seconds: time limit. It does not count the imports of the worker process.

        Raises:
            InputError: as `rewrite_source`, or a limit is exceeded.
            WorkerError: the worker process raised an unexpected exception.
            ForeignCodeError: the code of a recipe from outside raised an exception.
        """
        found = find_recipe(recipe)
        if found.is_planned:
            plan = self.plan(source, calls, budget, seconds=seconds, failed=found.assumes_failure)
            return plan.rewritten(source)
        given = dict(options or {})
        self._start()
        with time_limit(seconds):
            once = partial(self._once, source, recipe, filename, given)
            return rewrite_with(once, source, found, calls, unproven, cost, given)

    def plan(
        self,
        source: str,
        calls: Iterable[str],
        budget: int,
        tokenizer: Tokenizer | None = None,
        *,
        in_words: bool = False,
        examples: int = DEFAULT_EXAMPLES,
        seconds: float = SECONDS,
        failed: bool = False,
        output: str | Sequence[int] | None = None,
    ) -> Plan:
        """`plan_rewrite` with rewrites in the worker process.

        Raises:
            InputError: as `plan_rewrite`, or a limit is exceeded.
        """
        from rewrite import plan_rewrite  # takes a quarter of a second, which only a plan needs

        self._start()
        with time_limit(seconds):
            return plan_rewrite(
                source,
                calls,
                budget=budget,
                tokenizer=tokenizer,
                in_words=in_words,
                examples=examples,
                apply=self._each,
                failed=failed,
                output=output,
            )

    def _once(
        self, source: str, recipe: str, filename: str, options: Mapping[str, Any], given: RewriteContext
    ) -> Rewritten:
        once = partial(rewrite_once, source, recipe, filename=filename, options=options)
        if find_recipe(recipe).is_local:
            try:
                return once(given)
            except (InputError, MemoryError):
                raise
            except Exception as error:
                raise ForeignCodeError(f"the recipe {recipe}", error) from error
        return next(self._each(once, [given], filename))

    def _each(
        self, function: Callable[[RewriteContext], Made], contexts: Sequence[RewriteContext], filename: str = ""
    ) -> Iterator[Made]:
        """What a function makes of each context (`rewrite.planner.discovery.Apply`)."""
        deadline, where = current_deadline(), filename or "<source>"
        if self._awaited:  # those answers would be read as the ones to these questions
            self.close()
        with self._death_as_input_error(deadline, where):
            self._start()
            for given in contexts:
                self._send((function, given))
                self._awaited += 1
        return self._answers(deadline, where)

    def _answers(self, deadline: Deadline, where: str) -> Iterator[Any]:
        try:
            while self._awaited:
                with self._death_as_input_error(deadline, where):
                    answer = self._answer(deadline)
                self._awaited -= 1
                if isinstance(answer, MemoryError):
                    raise InputError(f"exceeds the memory limit of {self.megabytes} MB", where=where)
                if isinstance(answer, Exception):
                    raise answer
                yield answer
        finally:
            if self._awaited:
                self.close()

    @contextmanager
    def _death_as_input_error(self, deadline: Deadline, where: str) -> Iterator[None]:
        """Raises InputError if the worker process dies in the block; OutOfTimeError if no time is left."""
        try:
            yield
        except _ProcessDiedError as died:
            self.close()
            kind = InputError if deadline.left else OutOfTimeError
            raise kind(f"{died}", where=where) from None

    def _start(self) -> None:
        """Starts the process and waits until it is ready; does nothing if it runs. Raises InputError if it dies."""
        if self._process is not None:
            return
        recipes()  # imports the interventions, which a forked process then has too
        self._process = ForkedProcess(partial(serve, self.megabytes)) if can_fork() else self._interpreter()
        try:
            self._bytes(len(READY), Deadline.after(_START_SECONDS))
        except _ProcessDiedError as died:
            self.close()
            raise InputError(str(died)) from None

    def _interpreter(self) -> subprocess.Popen[bytes]:
        """A new interpreter, which has to import what a rewrite needs."""
        command = [sys.executable, "-P", "-c", _SERVE.format(path=sys.path, megabytes=self.megabytes)]
        pipe, none = subprocess.PIPE, subprocess.DEVNULL
        # In its own session, so that an interrupt in the terminal reaches only the command, which ends its workers.
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=none, start_new_session=True)

    def _send(self, question: object) -> None:
        assert self._process is not None and self._process.stdin is not None
        try:
            write_message(self._process.stdin, question)
        except OSError:
            raise _ProcessDiedError(self._death()) from None

    def _answer(self, deadline: Deadline) -> object:
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

    def close(self) -> None:
        """Kills the process."""
        self._awaited = 0
        if self._process is None:
            return
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        self._process.wait()
        self._process = None


@cache
def shared_process() -> RewriteProcess:
    """The worker process that all rewrites of this process share; ended at exit."""
    rewriter = RewriteProcess()
    atexit.register(rewriter.close)
    return rewriter


class _ProcessDiedError(Exception):
    """A worker process ended without an answer; the message is the reason."""
