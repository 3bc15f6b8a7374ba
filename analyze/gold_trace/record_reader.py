"""Reads what the tracer wrote inside the sandbox; the shape of every line is checked before it is decoded.

The traced program runs in the same process as the tracer and may have written any of the lines. Whether the events
belong to this program cannot be checked here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from analyze.gold_trace.frames import EVENTS
from analyze.gold_trace.tracer import REPLACED, Record
from corpora.sandbox.reporting.json_shape import decode, decode_shaped, skeleton

CUTS = (None, "max_frames", "max_bytes", "max_value", REPLACED)
# Limit on the characters outside strings in all lines: a hundred thousand frames of seventy names each.
MAX_SKELETON = 16 << 20
_RECORD = re.compile(r"\[,\d{1,9},(?:\{(?::(?:,:)*+)?\},null|null,)\]", re.ASCII)
_END = re.compile(r"\{:(?:null)?\}")


def read_records(lines: Sequence[str], max_frames: int, last_line: int) -> tuple[list[Record], str | None]:
    """Parses the emitted lines.

    Args:
        lines: The lines that the observer emitted.
        max_frames: The limit that the tracer was given.
        last_line: The number of lines of the traced source.

    Returns:
        The records, and why they stop early (None also if the run itself was ended).

    Raises:
        ValueError: If a line is not in the tracer's format.
    """
    *frames, end = lines if lines and lines[-1][:1] == "{" else (*lines, '{"cut":null}')
    cut = decode_shaped(end, _END).get("cut", "")
    if len(frames) > max(0, max_frames):
        raise ValueError("more frames than the limit")
    records: list[Record] = []
    left = MAX_SKELETON
    for frame in frames:
        shape = skeleton(frame)
        left -= len(shape)
        if left < 0:
            raise ValueError("more names than the limit")
        if not _RECORD.fullmatch(shape):
            raise ValueError("a frame has an unexpected structure")
        records.append(_record(decode(frame), last_line))
    if cut not in CUTS:
        raise ValueError("an unknown reason for the end")
    return records, cut


def _record(frame: Sequence[Any], last_line: int) -> Record:
    event, line, state, value = frame
    if event not in EVENTS or (state is None) == (event in ("call", "line")) or not 1 <= line <= last_line:
        raise ValueError("an unknown event, or a line outside the source")
    return event, line, state, value
