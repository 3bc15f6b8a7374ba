"""Runs a program in the sandbox and describes what it did as strings. Spellout runs programs in no other way.

`corpora.sandbox.reporting.report_parser` parses the report of the program's process. Nothing that a program wrote is
unpickled, evaluated or compared with `==` in this process. `corpora.sandbox` confines the program.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from corpora.deadline import current_deadline
from corpora.library_modification import may_modify_library
from corpora.program import Isolation, Outcome, Status
from corpora.sandbox.reporting.protocol import SOURCE_LIMIT, Job
from corpora.sandbox.reporting.report_parser import CallReport
from corpora.sandbox.reporting.report_reader import JobReport
from corpora.sandbox.workers import pool
from corpora.sandbox.workers.isolation_levels import active_isolation
from corpora.sandbox.workers.isolation_levels import allow_weak_isolation as allow_weak_isolation

_FINISHED = ("ok", "raised", "timeout")
SECONDS = 5.0
MEGABYTES = 512


def run_call(source: str, call: str, *, seconds: float = SECONDS, megabytes: int = MEGABYTES) -> Outcome:
    r"""Run one call of a program.

    Args:
        source: The program.
        call: An expression, such as "f(1, [2])".
        seconds: Limit on the wall time.
        megabytes: Limit on the address space beyond the interpreter's own.

    Returns:
        The outcome. Whatever the program does is in its status; it is never raised.

    Raises:
        InputError: No isolation level is available and allowed.

    Example:
        >>> run_call("def f(x):\n    return x + 1", "f(1)").value
        '2'
    """
    return run_calls(source, [call], seconds=seconds, megabytes=megabytes)[0]


def run_calls(
    source: str,
    calls: Sequence[str],
    *,
    sequences: bool = False,
    seconds: float = SECONDS,
    megabytes: int = MEGABYTES,
) -> list[Outcome]:
    """Run several calls, each on a freshly executed module and in a process of its own.

    No call sees what another one did to the interpreter or to the standard library. Calls share a process only if the
    program is proven to reach neither (`corpora.library_modification`), and only until one of them ends it, runs out of
    memory or exceeds the output limit: that call is repeated in a process of its own.

    Args:
        source: The program.
        calls: Expressions.
        sequences: Whether a call may be several on one module, `f(1); f(2)` or `made = A(1); made.m(2)`, or `pass`,
            which loads the module and reports all its globals. The value of a sequence lists the result of each call; a
            call that raises does not end the others.
        seconds: Limit on the wall time of each call.
        megabytes: Limit on the address space beyond the interpreter's own.

    Returns:
        One outcome per call, in order.

    Raises:
        InputError: No isolation level is available and allowed.
    """
    return run_simulated(source, calls, {}, sequences=sequences, seconds=seconds, megabytes=megabytes)


def run_simulated(
    source: str,
    calls: Sequence[str],
    environment: Mapping[str, float],
    *,
    hash_seed: int = 0,
    replica: int = 0,
    sequences: bool = False,
    seconds: float = SECONDS,
    megabytes: int = MEGABYTES,
) -> list[Outcome]:
    """`run_calls` with another hash seed, in another interpreter, or with a simulated clock and seeded randomness.

    Args:
        source: The program.
        calls: Expressions.
        environment: See `corpora.sandbox.execution.simulated_environment`. Empty: the real clock, `random.seed(0)`.
        hash_seed: PYTHONHASHSEED.
        replica: Another number is another interpreter, which differs only in its memory addresses.
        sequences: As for `run_calls`.
        seconds: Limit on the wall time of each call.
        megabytes: Limit on the address space beyond the interpreter's own.
    """
    outcomes: list[Outcome] = []
    together = _size(source, *calls) <= SOURCE_LIMIT and len(calls) > 1 and not may_modify_library(source, calls)
    while len(outcomes) < len(calls):
        remaining = tuple(calls[len(outcomes) :] if together else [calls[len(outcomes)]])
        job = _job(source, remaining, seconds, megabytes, environment=dict(environment), sequences=sequences)
        refused = _refusal(job)
        if refused:
            outcomes.append(refused)
            continue
        watched, level = _run_job(job, seconds, hash_seed=hash_seed, replica=replica)
        outcomes += _unaffected(_outcomes(watched, level, len(remaining)))
    return outcomes


def _unaffected(outcomes: list[Outcome]) -> list[Outcome]:
    """The outcomes that earlier calls in the same process cannot have affected: a limit may have been used up."""
    affected = (number for number, outcome in enumerate(outcomes) if number and outcome.status not in _FINISHED)
    return outcomes[: next(affected, len(outcomes))]


def run_observed(
    text: str,
    observer: str,
    options: Mapping[str, Any],
    *,
    environment: Mapping[str, float] = MappingProxyType({}),
    hash_seed: int = 0,
    seconds: float = SECONDS,
    megabytes: int = MEGABYTES,
) -> tuple[Outcome, tuple[str, ...]]:
    """Run `main()` of a program (`Case.context`) under an observer.

    Args:
        text: The program with its `main`.
        observer: "module:Class". The worker imports it, this process never does. The class is called with
            (options, emit) and has the methods `compile(source, filename)` and `run(entry)`.
        options: Passed to the observer.
        environment: As for `run_simulated`.
        hash_seed: PYTHONHASHSEED.
        seconds: Limit on the wall time.
        megabytes: Limit on the address space beyond the interpreter's own.

    Returns:
        The outcome, and the lines that the observer emitted. They may be incomplete after a timeout or crash.

    Raises:
        ImportError: The worker cannot load the observer.
        InputError: No isolation level is available and allowed.
    """
    about: dict[str, Any] = {"observer": observer, "options": dict(options), "environment": dict(environment)}
    job = _job(text, (), seconds, megabytes, **about)
    refused = _refusal(job)
    if refused:
        return refused, ()
    watched, level = _run_job(job, seconds, hash_seed=hash_seed)
    return _outcomes(watched, level, 1)[0], tuple(watched.lines)


def _run_job(job: Job, seconds: float, *, hash_seed: int = 0, replica: int = 0) -> tuple[JobReport, Isolation]:
    """`pool.run` within the deadline in force. Raises OutOfTimeError if the deadline ends the run."""
    current_deadline().check()
    watched, level = pool.run(job, seconds, hash_seed=hash_seed, replica=replica)
    if watched.stop_reason == "timeout":
        current_deadline().check()
    return watched, level


def isolation() -> tuple[Isolation, str]:
    """The isolation level of this process, and one line on why no better level is in force ("" at level A).

    Raises:
        InputError: Only level C is available and it was not allowed.
    """
    choice = active_isolation()
    return choice.confinement.level, choice.fallback_reason


def _job(source: str, calls: tuple[str, ...], seconds: float, megabytes: int, **settings: Any) -> Job:
    cpu_seconds = math.ceil(seconds) * max(1, len(calls)) + 1
    return Job(secrets.token_hex(8), source, calls, megabytes, cpu_seconds, **settings)


def _size(*texts: str) -> int:
    return sum(map(len, texts))


def _refusal(job: Job) -> Outcome | None:
    if _size(job.source, *job.calls) > SOURCE_LIMIT:
        return Outcome("refused", detail=f"program and calls are longer than {SOURCE_LIMIT} characters")
    return None


def _outcomes(watched: JobReport, level: Isolation, expected: int) -> list[Outcome]:
    """The outcomes of the reported calls, and of the call during which the process ended abnormally, if any."""
    outcomes: list[Outcome] = []
    start = 0
    for result in watched.calls:
        # Destructors of the previous module may have printed before this call began.
        if not start <= result.stdout_start <= result.stdout_end <= len(watched.stdout):
            reason = "the report was tampered with: invalid offsets of standard output"
            return [*outcomes, Outcome("crashed", isolation=level, seconds=watched.seconds, detail=reason)]
        outcomes.append(_outcome(result, watched.stdout[result.stdout_start : result.stdout_end], level))
        start = result.stdout_end
    if len(outcomes) < expected:
        outcomes.append(_abnormal_outcome(watched, watched.stdout[start:], level))
    elif watched.problem or watched.stop_reason or watched.status != 0:
        outcomes[-1] = _abnormal_outcome(watched, watched.stdout[start:], level)
    return outcomes


def _outcome(result: CallReport, stdout: bytes, level: Isolation) -> Outcome:
    return Outcome(
        result.status,
        value=result.value,
        exception=result.exception,
        stdout=_decoded(stdout),
        stderr=result.stderr,
        arguments=result.arguments,
        globals=result.globals,
        snapshot=result.snapshot,
        isolation=level,
        seconds=result.seconds,
        detail=result.detail,
    )


def _abnormal_outcome(watched: JobReport, stdout: bytes, level: Isolation) -> Outcome:
    """The outcome of a call whose process ended without reporting it."""
    status: Status = "crashed"
    detail = watched.problem or _exit_description(watched.status)
    exited = None if watched.problem or watched.stop_reason else _exit_status(watched.status)
    if watched.stop_reason == "timeout":
        status, detail = "timeout", "exceeded its time limit"
    elif watched.stop_reason == "output":
        status, detail = "output", "the report exceeds the size limit"
    return Outcome(
        status, stdout=_decoded(stdout), isolation=level, seconds=watched.seconds, detail=detail, exit_status=exited
    )


def _exit_status(status: int | None) -> int | None:
    """The exit status of a process that was not ended by a signal."""
    return None if status is None or status & 0x7F else status >> 8


def _exit_description(status: int | None) -> str:
    if status is None:
        return "ended without a result"
    if status & 0x7F:
        return f"ended by signal {status & 0x7F} without a result"
    return f"ended with exit status {status >> 8} without a result"


def _decoded(stdout: bytes) -> str:
    return stdout.decode("utf-8", "backslashreplace")
