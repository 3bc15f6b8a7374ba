"""What made each frame of a true trace: the operations of the step before it, recorded in a second run in the sandbox.

Frame i shows what the line before it did, so the operations of frame i are those that ran while the trace had i frames.
The second run is held against the trace; where its events differ (another interpreter's lines), they are matched.
What it does not do: judge a step (`analyze.risk.features`).
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

OBSERVER = "analyze.risk.operations:Operations"
# Beyond so many events, those of a run that differs from the trace are not matched: the matching would take long.
MATCHED = 20_000
_OPERAND = r"\[,-?\d{1,19},(?:null|true|false|-?\d{1,19})?\]"
_LOT = re.compile(rf"\[(?:\[\d{{1,9}},,,\[(?:{_OPERAND}(?:,{_OPERAND})*+)?\],{_OPERAND}\],?)*+\]", re.ASCII)
_END = re.compile(r"\{:\[(?:\[,\d{1,9}\],?)*+\],:(?:true|false)\}", re.ASCII)


@dataclass(frozen=True)
class Operand:
    """A value that met in an operation.

    type: its name, "" for no builtin type; length: or -1; value: a text (its first characters) or a number, where it
    is one.
    """

    type: str
    length: int
    value: str | int | None


@dataclass(frozen=True)
class Operation:
    """Something that a step did.

    kind: method, call, operator, item, slice or format; name: of the method, builtin or operator ("" for a function
    of the program); result: type "raises" where it raised.
    """

    kind: str
    name: str
    operands: tuple[Operand, ...]
    result: Operand

    @property
    def receiver(self) -> Operand:
        """What the operation works on: its first operand."""
        return self.operands[0] if self.operands else Operand("", -1, None)


@dataclass(frozen=True)
class Recorded:
    """What made each frame of a trace.

    operations: by frame; lines: by frame, the number of its line in the traced text (from 1; None where the second run
    had no such frame).
    """

    operations: tuple[tuple[Operation, ...], ...]
    lines: tuple[int | None, ...]


def recorded(trace: Trace, *, seconds: float = SECONDS) -> Recorded | None:
    """What made each frame of the trace; None where that cannot be recorded."""
    outcome, lines = run_observed(trace.context, OBSERVER, {}, seconds=seconds)
    if outcome.status not in ("ok", "raised") or not lines:
        return None
    try:
        *lots, end = lines
        found = [_operation(record) for lot in lots for record in decode_shaped(lot, _LOT)]
        events = decode_shaped(end, _END)["events"]
        places = _places(events, trace)
    except (ValueError, KeyError, IndexError):
        return None  # the run was ended before its last line, or the program wrote lines of its own
    if places is None:
        return None
    made: list[list[Operation]] = [[] for _ in trace.frames]
    numbers: list[int | None] = [None] * len(trace.frames)
    for (_, line), place in zip(events, places, strict=False):
        if place is not None:
            numbers[place] = line
    for frame, operation in found:
        place = places[frame] if frame < len(places) else None
        if place is not None:
            made[place].append(operation)
    return Recorded(tuple(map(tuple, made)), tuple(numbers))


def _operation(record: Any) -> tuple[int, Operation]:
    frame, kind, name, given, result = record
    return frame, Operation(kind, name, tuple(Operand(*operand) for operand in given), Operand(*result))


def _places(events: Sequence[Any], trace: Trace) -> Sequence[int | None] | None:
    """For each frame of the second run, the frame of the trace that it is."""
    texts = physical_lines(trace.context)
    run = [(event, texts[line - 1]) for event, line in events]
    true = [(frame.event, frame.source) for frame in trace.frames]
    if run[: len(true)] == true:
        return range(len(true))
    if len(run) + len(true) > MATCHED:
        return None
    places: list[int | None] = [None] * len(run)
    for start, at, size in SequenceMatcher(None, run, true, autojunk=False).get_matching_blocks():
        for offset in range(size):
            places[start + offset] = at + offset
    return places
