"""Traces a call twice, and keeps the trace if both are equal and within the limits."""

from __future__ import annotations

from typing import Any

from analyze.gold_trace.trace import Trace, trace_call
from corpora import Case
from corpora.deadline import OutOfTimeError, time_limit
from corpora.nondeterminism import OTHER_ENVIRONMENT, OTHER_HASH_SEED, dependences
from runner.traces.trace_request import DroppedRowError, TraceRequest

DETERMINISM = "traced twice, with another hash seed, clock, random seed, process number and memory layout: equal"
EXPLAIN_SECONDS = 60.0
_LIMITS = {
    "max_frames": "more frames than --max-frames",
    "max_value": "a value that is too long to be shown",
    "max_bytes": "a trace of too many bytes",
    "timeout": "time limit (--seconds)",
    "memory": "memory limit (--megabytes)",
    "output": "too much output",
    "crashed": "the process of the program crashed",
    "refused": "the program is too long",
}
NOT_LOADED = "the program does not load"
NEVER_ENTERED = "the call fails before the program is entered"


def trace_twice(case: Case, request: TraceRequest) -> Trace:
    """The reference trace of a case.

    Raises:
        DroppedRowError: The program or the call fails, exceeds a limit, or is nondeterministic.
        InputError: No isolation level is available and allowed.
    """
    trace = _trace(case, request)
    _check_complete(trace)
    again = _trace(case, request, environment=OTHER_ENVIRONMENT, hash_seed=OTHER_HASH_SEED)
    if again.cut not in (None, "max_frames"):
        raise DroppedRowError(_reason(again), f"in the second run: {again.outcome.detail or again.cut_reason}")
    if (trace.frames, _result(trace)) != (again.frames, _result(again)):
        raise DroppedRowError("nondeterministic", _cause(case, request))
    return trace


def _trace(case: Case, request: TraceRequest, **variation: Any) -> Trace:
    return trace_call(
        case.source,
        case.call,
        case.grading,
        seconds=request.seconds,
        megabytes=request.megabytes,
        max_frames=request.max_frames,
        stop_at_cut=True,
        **variation,
    )


def _result(trace: Trace) -> tuple[object, ...]:
    return trace.outcome.status, trace.outcome.value, trace.outcome.exception


def _check_complete(trace: Trace) -> None:
    outcome = trace.outcome
    if trace.cut is not None:
        raise DroppedRowError(_reason(trace), outcome.detail or trace.cut_reason)
    raised = ": ".join(outcome.exception or ())
    if not trace.frames:
        raise DroppedRowError(NOT_LOADED, raised or outcome.detail)
    if outcome.status == "raised" and sum(frame.event == "call" for frame in trace.frames) < 2:
        raise DroppedRowError(NEVER_ENTERED, raised)


def _reason(trace: Trace) -> str:
    return _LIMITS.get(trace.cut or "", f"the trace is incomplete: {trace.cut}")


def _cause(case: Case, request: TraceRequest) -> str:
    """What the result depends on, in words; a trace may differ where the result does not."""
    try:
        with time_limit(EXPLAIN_SECONDS):
            found = dependences(case.source, case.call, seconds=request.seconds, megabytes=request.megabytes)
    except OutOfTimeError:
        return "the cause was not found in time"
    return f"depends on {' and '.join(found)}" if found else "the result is equal, but states on the way differ"
