"""The operations that produce each frame of a reference trace, recorded by a second run in the sandbox.

Frame i shows the effect of the line before it. Its operations are therefore those that run while the trace has i
frames. The events of the second run are compared with the trace. If they differ (another interpreter's lines), they are
aligned. `analyze.risk.features` turns operations into features.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from analyze.gold_trace.trace import Trace, physical_lines
from corpora.execute import SECONDS, run_observed
from corpora.sandbox.reporting.json_shape import decode_shaped

PROMPT_FRAMES = 3
"""The first frames of a trace, which are in the prompt: main's call, its line, the call of the program's function."""
OBSERVER = "analyze.risk.operations:OperationObserver"
# Runs with more events that differ from the trace are not aligned: it would take too long.
MAX_MATCHED = 20_000
_OPERAND = r"\[,-?\d{1,19},(?:null|true|false|-?\d{1,19})?\]"
_LOT = re.compile(rf"\[(?:\[\d{{1,9}},,,\[(?:{_OPERAND}(?:,{_OPERAND})*+)?\],{_OPERAND}\],?)*+\]", re.ASCII)
_END = re.compile(r"\{:\[(?:\[,\d{1,9}\],?)*+\],:(?:true|false)\}", re.ASCII)


@dataclass(frozen=True)
class Operand:
    """A value in an operation.

    Attributes:
        type: The name of its type; "" if it is not a builtin type.
        length: Its length; -1 if it has none.
        value: The value of a number, or the first characters of a string; otherwise None.
    """

    type: str
    length: int
    value: str | int | None


@dataclass(frozen=True)
class RecordedOperation:
    """An operation that a step performs.

    Attributes:
        kind: "method", "call", "operator", "item", "slice" or "format".
        name: The method, builtin or operator ("" for a function of the program).
        operands: The receiver, if any, and the arguments.
        result: The result; its type is "raises" if the operation raised.
    """

    kind: str
    name: str
    operands: tuple[Operand, ...]
    result: Operand

    @property
    def receiver(self) -> Operand:
        """The first operand."""
        return self.operands[0] if self.operands else Operand("", -1, None)


@dataclass(frozen=True)
class TraceOperations:
    """What the second run recorded.

    Attributes:
        operations: The operations of each frame.
        lines: The line of each frame in the traced source, from 1; None if the second run had no such frame.
    """

    operations: tuple[tuple[RecordedOperation, ...], ...]
    lines: tuple[int | None, ...]


def record_operations(trace: Trace, *, seconds: float = SECONDS) -> TraceOperations | None:
    """Records the operations of each frame; None if that is not possible."""
    outcome, lines = run_observed(trace.context, OBSERVER, {}, seconds=seconds)
    if not outcome.has_ended or not lines:
        return None
    try:
        *lots, end = lines
        found = [_operation(record) for lot in lots for record in decode_shaped(lot, _LOT)]
        events = decode_shaped(end, _END)["events"]
        places = _places(events, trace)
    except (ValueError, KeyError, IndexError):
        return None  # the run was ended early, or the program wrote to the channel
    if places is None:
        return None
    made: list[list[RecordedOperation]] = [[] for _ in trace.frames]
    numbers: list[int | None] = [None] * len(trace.frames)
    for (_, line), place in zip(events, places, strict=False):
        if place is not None:
            numbers[place] = line
    for frame, operation in found:
        place = places[frame] if frame < len(places) else None
        if place is not None:
            made[place].append(operation)
    return TraceOperations(tuple(map(tuple, made)), tuple(numbers))


def _operation(record: Any) -> tuple[int, RecordedOperation]:
    frame, kind, name, given, result = record
    return frame, RecordedOperation(kind, name, tuple(Operand(*operand) for operand in given), Operand(*result))


def _places(events: Sequence[Any], trace: Trace) -> Sequence[int | None] | None:
    """Returns, for each frame of the second run, the index of the same frame in the trace."""
    texts = physical_lines(trace.context)
    run = [(event, texts[line - 1]) for event, line in events]
    true = [(frame.event, frame.source) for frame in trace.frames]
    if run[: len(true)] == true:
        return range(len(true))
    if len(run) + len(true) > MAX_MATCHED:
        return None
    places: list[int | None] = [None] * len(run)
    for start, at, size in SequenceMatcher(None, run, true, autojunk=False).get_matching_blocks():
        for offset in range(size):
            places[start + offset] = at + offset
    return places
