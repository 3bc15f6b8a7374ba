"""A program with its reference trace, as JSON for the page: risk by line and frame, hazards, token boundaries."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from analyze.auditing.findings import Finding
from analyze.gold_trace.frames import EVENTS, Frame
from analyze.risk.assessment import Assessment
from analyze.tokens.tokenizer import Tokenizer
from corpora.errors import InputError

MAX_FRAMES = 5_000
"""Maximum number of frames of a trace on the page."""
MAX_TOKENIZED = 20_000
"""Maximum number of characters of a state or value whose token boundaries the page shows."""
MIN_RISK = 0.01
"""Frames with a smaller risk have no reasons on the page."""
MAX_HAZARDS = 50
Json = dict[str, Any]


def program_json(assessment: Assessment) -> Json:
    """Returns the program of an assessment as a JSON object.

    Its fields:

        context   the traced source
        lines     line of the source to risk
        frames    [event, line or None, state, value, token sizes, risk] of the first `MAX_FRAMES` frames
        why       frame to the reasons of its risk
        hazards   findings in program and call, most severe first
        notes     caveats, in words
    """
    trace = assessment.trace
    risks = [step.risk for step in assessment.steps]
    lines = trace.lines or (None,) * len(trace.frames)
    shown = trace.frames[:MAX_FRAMES]
    found = sorted((one for one in assessment.findings if one.severity > 0), key=lambda one: -one.severity)
    notes = [*assessment.notes, *_limits(assessment)]
    return {
        "context": trace.context,
        "risk": assessment.risk,
        "lines": {str(line): round(risk, 4) for line, risk in assessment.lines.items()},
        "frames": [
            [
                EVENTS.index(frame.event),
                lines[index],
                *_parts(frame, assessment.tokenizer),
                round(risks[index], 4) if index < len(risks) else None,
            ]
            for index, frame in enumerate(shown)
        ],
        "why": {
            str(step.index): list(step.why)
            for step in assessment.steps
            if step.why and step.risk >= MIN_RISK and step.index < MAX_FRAMES
        },
        "hazards": [_hazard(finding) for finding in found[:MAX_HAZARDS]],
        "notes": list(dict.fromkeys(notes)),
    }


def predicted_json(frame: Frame, tokenizer: Tokenizer) -> list[Any]:
    """Returns a frame of an output as [event, source line, state, value, token sizes]."""
    return [EVENTS.index(frame.event), frame.source, *_parts(frame, tokenizer)]


def _parts(frame: Frame, tokenizer: Tokenizer) -> list[Any]:
    """State, value and the sizes of the tokens of what the frame writes of them (JSON, which is ASCII)."""
    written = json.dumps(frame.value) if frame.state is None else json.dumps(dict(frame.state))
    return [frame.state, frame.value, _sizes(written, tokenizer)]


def _sizes(written: str, tokenizer: Tokenizer) -> list[int]:
    if len(written) > MAX_TOKENIZED:
        return []
    try:
        if tokenizer.is_byte_level and not tokenizer.normalizes(written):  # loads no second tokenizer
            return [len(tokenizer.token_bytes(token)) for token in tokenizer.encode(written)]
        return tokenizer.encode_sized(written)[1]
    except InputError:
        return []


def _hazard(finding: Finding) -> Json:
    return {
        "name": finding.hazard,
        "severity": finding.severity,
        "line": finding.line,
        "method": finding.method,
        "why": finding.why,
        "written": finding.written[:MAX_TOKENIZED],
        "span": [finding.written_start, finding.written_end],
        "boundaries": _in_characters(finding.written[:MAX_TOKENIZED], finding.boundaries),
    }


def _in_characters(written: str, boundaries: Sequence[int]) -> list[int]:
    """Converts byte positions to characters; a boundary inside a character counts as after it."""
    if written.isascii():
        return [end for end in boundaries if end <= len(written)]
    ends, total = set(boundaries), 0
    found = []
    for place, char in enumerate(written, 1):
        size = len(char.encode("utf-8", "surrogatepass"))
        if any(end in ends for end in range(total + 1, total + size + 1)):
            found.append(place)
        total += size
    return found


def _limits(assessment: Assessment) -> list[str]:
    trace = assessment.trace
    notes = [f"the reference trace is incomplete: {trace.cut_reason}"] if trace.cut else []
    if len(trace.frames) > MAX_FRAMES:
        notes.append(f"the first {MAX_FRAMES:,} of {len(trace.frames):,} frames are shown")
    return notes
