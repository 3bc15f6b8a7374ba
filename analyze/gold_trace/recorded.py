"""Read what the tracer wrote inside the sandbox: lists of records, each held to their shape before it is decoded.

A traced program lives beside the tracer and can have written any of it. What it does not do: know the program's text,
or whether the events are those of its run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from analyze.gold_trace.frames import EVENTS
from analyze.gold_trace.tracer import REPLACED, Record
from corpora.sandbox.reporting.json_shape import decode_shaped, skeleton

CUTS = (None, "max_frames", "max_bytes", "max_value", REPLACED)
# Of all lines of a trace, what is not inside strings: a hundred thousand frames of seventy names each.
MAX_SKELETON = 16 << 20
_RECORD = r"\[,\d{1,9},(?:\{(?::(?:,:)*+)?\},null|null,)\]"
_LOT = re.compile(rf"\[(?:{_RECORD}(?:,{_RECORD})*+)?\]", re.ASCII)
_END = re.compile(r"\{:(?:null)?\}")


def read_records(lines: Sequence[str], max_frames: int, last_line: int) -> tuple[list[Record], str | None]:
    """The records of a program of `last_line` lines, and why they stop early (None too where the run was ended).

    Raises ValueError where a line is not what the tracer writes.
    """
    *lots, end = lines if lines and lines[-1][:1] == "{" else (*lines, '{"cut":null}')
    cut = decode_shaped(end, _END).get("cut", "")
    records: list[Record] = []
    left = MAX_SKELETON
    for lot in lots:
        left -= len(skeleton(lot))
        records += _records(decode_shaped(lot, _LOT), last_line)
        if left < 0 or len(records) > max(0, max_frames):
            raise ValueError("more frames than were asked for, or than there can be")
    if cut not in CUTS:
        raise ValueError("an end that there is not")
    return records, cut


def _records(lot: Sequence[Any], last_line: int) -> Iterator[Record]:
    for event, line, state, value in lot:
        if event not in EVENTS or (state is None) == (event in ("call", "line")) or not 1 <= line <= last_line:
            raise ValueError("an event or a line that there is not")
        yield event, line, state, value
