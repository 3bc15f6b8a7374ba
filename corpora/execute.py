"""Run a program in the sandbox and say what it did, as text. The only way in which Spellout runs a program.

`corpora.sandbox.reporting.report_parser` parses the report of the program's process and keeps its values as strings.
Nothing that a program wrote is unpickled, evaluated or compared with `==` in this process. `corpora.sandbox` confines
the program.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from corpora.deadline import current_deadline
from corpora.library_modification import may_modify_library
from corpora.program import Isolation, Outcome, Status
from corpora.sandbox.reporting.protocol import SOURCE_LIMIT, Job
from corpora.sandbox.reporting.report_parser import CallReport
from corpora.sandbox.reporting.report_reader import JobReport
from corpora.sandbox.workers import pool
from corpora.sandbox.workers.levels import active_isolation
from corpora.sandbox.workers.levels import allow_weak_isolation as allow_weak_isolation

SECONDS = 5.0
MEGABYTES = 512


def run_call(source: str, call: str, *, seconds: float = SECONDS, megabytes: int = MEGABYTES) -> Outcome:
    """Run one call, such as `f(1, [2])`, of a program.

    seconds: wall time; megabytes: address space beyond the interpreter's own. Whatever the program does is in the
    Outcome's status, never raised.

    >>> run_call("def f(x):\\n    return x + 1", "f(1)").value
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
    """Run several calls in one process, each on a freshly executed module; one Outcome per call, in order.

    sequences: a call may be several on one module, `f(1); f(2)` or `made = A(1); made.m(2)` (the value tells of each;
    one that raises does not end the others), or `pass`, to load the module and see all that it leaves behind.

    `seconds` is the limit of each call. The calls after one that ends its process (timeout, crash) go to a new one.
    State of the standard library that a call changed is not undone for the next, but for built-ins, `random`, trace
    functions, timers and the recursion limit; so a program that may change more by the look of its source
    (`corpora.library_modification`) gets a process for each call.
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
    """`run_calls` under another hash seed, in another interpreter, or with made clocks and chance.

    `corpora.sandbox.execution.simulated_environment` describes `environment`; empty: the real clock, and `random`
    seeded with 0.
    """
    outcomes: list[Outcome] = []
    alone = len(calls) > 1 and may_modify_library(source)
    while len(outcomes) < len(calls):
        left = tuple(calls[len(outcomes) :][: 1 if alone else None])
        job = replace(_job(source, left, seconds, megabytes), environment=dict(environment), sequences=sequences)
        refused = _refusal(job)
        if refused:
            return outcomes + [refused] * (len(calls) - len(outcomes))
        watched, level = _run_job(job, seconds, hash_seed=hash_seed, replica=replica)
        outcomes += _outcomes(watched, level, len(left))
    return outcomes


def run_observed(
    text: str,
    observer: str,
    options: Mapping[str, Any],
    *,
    seconds: float = SECONDS,
    megabytes: int = MEGABYTES,
) -> tuple[Outcome, tuple[str, ...]]:
    """Run `main()` of a whole text (`Case.context`) under an observer; the outcome, and the lines that it emitted.

    `observer` is "module:Class", loaded inside the worker (never here); an observer is made with (options, emit), and
    has `compile(source, filename)` and `run(entry)`. Lines emitted before a timeout or crash may be incomplete.
    Raises ImportError when the worker cannot load the observer.
    """
    job = _job(text, (), seconds, megabytes, observer, options)
    refused = _refusal(job)
    if refused:
        return refused, ()
    watched, level = _run_job(job, seconds)
    return _outcomes(watched, level, 1)[0], tuple(watched.lines)


def _run_job(job: Job, seconds: float, *, hash_seed: int = 0, replica: int = 0) -> tuple[JobReport, Isolation]:
    """`pool.run` within the deadline in force. Raises OutOfTimeError if the deadline ends the run."""
    current_deadline().check()
    watched, level = pool.run(job, seconds, hash_seed=hash_seed, replica=replica)
    if watched.stop_reason == "timeout":
        current_deadline().check()
    return watched, level


def isolation() -> tuple[Isolation, str]:
    """The level in force in this process, and one line on why it is not better ("" at level A).

    Raises InputError when there is only level C and it was not allowed.
    """
    choice = active_isolation()
    return choice.confinement.level, choice.fallback_reason


def _job(
    source: str,
    calls: tuple[str, ...],
    seconds: float,
    megabytes: int,
    observer: str = "",
    options: Mapping[str, Any] | None = None,
) -> Job:
    cpu_seconds = math.ceil(seconds) * max(1, len(calls)) + 1
    return Job(secrets.token_hex(8), source, calls, megabytes, cpu_seconds, observer, dict(options or {}))


def _refusal(job: Job) -> Outcome | None:
    if sum(map(len, (job.source, *job.calls))) > SOURCE_LIMIT:
        return Outcome("refused", detail=f"program and calls are longer than {SOURCE_LIMIT} characters")
    return None


def _outcomes(watched: JobReport, level: Isolation, expected: int) -> list[Outcome]:
    """The calls that were reported, and, if the process did not end as it should, the one under which it did."""
    outcomes: list[Outcome] = []
    start = 0
    for result in watched.calls:
        # What ended with the last call's module may have printed before this call began.
        if not start <= result.stdout_start <= result.stdout_end <= len(watched.stdout):
            reason = "the report was tampered with: output that there is not"
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
    """The Outcome of a call whose process ended without reporting it."""
    status: Status = "crashed"
    detail = watched.problem or _exit_description(watched.status)
    if watched.stop_reason == "timeout":
        status, detail = "timeout", "stopped at its time limit"
    elif watched.stop_reason == "output":
        status, detail = "output", "a longer report than is kept"
    return Outcome(status, stdout=_decoded(stdout), isolation=level, seconds=watched.seconds, detail=detail)


def _exit_description(status: int | None) -> str:
    if status is None:
        return "ended without a result"
    if status & 0x7F:
        return f"ended by signal {status & 0x7F} without a result"
    return f"ended with exit status {status >> 8} without a result"


def _decoded(stdout: bytes) -> str:
    return stdout.decode("utf-8", "backslashreplace")
