"""The operations of a reference trace with their positions and values, recorded by a second run in the sandbox.

`analyze.diagnosis.failing_operation` searches them for the one that a model got wrong. Values are reprs. A value has
none ("") if it is not made of exact builtin types or its repr is too long.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from analyze.gold_trace.trace import Trace, physical_lines
from analyze.instrumentation.sites import Position
from corpora.execute import run_observed
from corpora.sandbox.reporting.json_shape import decode_shaped

OBSERVER = "analyze.diagnosis.operation_observer:OperationValueObserver"
_RECORD = re.compile(r"\[\d{1,9},,,(?:null|\[\d{1,9},\d{1,9},\d{1,9},\d{1,9}\]),\[,{0,999}\],\]", re.ASCII)
_EVENTS = re.compile(r"\[(?:\[,\d{1,9}\],?)*+\]", re.ASCII)


@dataclass(frozen=True)
class ValuedOperation:
    """One operation of a run.

    Attributes:
        frame: Index of the frame that it leads to.
        kind: Its kind, as in `analyze.instrumentation.sites`; "operator" also for augmented assignments.
        name: The method, function, attribute or operator.
        position: Its position in the source; None if it is not certain.
        operands: The reprs of receiver and arguments in evaluation order; "" for a value without a repr.
        result: The repr of its result; "" if it has none, or was not seen.
    """

    frame: int
    kind: str
    name: str
    position: Position | None
    operands: tuple[str, ...]
    result: str


def record_values(trace: Trace, frame: int | None = None) -> tuple[ValuedOperation, ...] | None:
    """Returns operations in the order in which they end; None if they cannot be recorded in the frames of the trace.

    Args:
        trace: The reference trace.
        frame: Only the operations that lead to this frame; the program is ended after it (default: all).

    Example:
        >>> from analyze import trace_call
        >>> [one.result for one in record_values(trace_call("def f(s):\\n    return s.strip() + '.'", "f(' a')")) or ()]
        ["'a'", "'a.'"]
    """
    outcome, lines = run_observed(trace.context, OBSERVER, {"frame": frame})
    if not outcome.has_ended or not lines:
        return None
    *records, end = lines
    try:
        events = decode_shaped(end, _EVENTS)
        found = tuple(_operation(decode_shaped(record, _RECORD)) for record in records)
    except ValueError:
        return None  # the run was ended early, or the program wrote to the channel
    texts = physical_lines(trace.context)
    frames = trace.frames if frame is None else trace.frames[: frame + 1]
    if [(event, texts[line - 1]) for event, line in events] != [(one.event, one.source) for one in frames]:
        return None  # another interpreter's lines
    return found


def _operation(record: Any) -> ValuedOperation:
    frame, kind, name, place, operands, result = record
    return ValuedOperation(frame, kind, name, place and tuple(place), tuple(operands), result)
