"""Frames as JSON lines: event, line number, source line, and either the locals or the value.

Locals that did not change since the previous frame of the same activation are written in full, not as `..`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from analyze.gold_trace.frames import UNCHANGED
from analyze.gold_trace.trace import Trace
from analyze.tokens.tokenizer import Tokenizer
from corpora import Case
from runner.traces.rendered_trace import RenderedTrace

SUMMARY = "a JSON object for each frame, with all locals"


def render(case: Case, trace: Trace, tokenizer: Tokenizer) -> RenderedTrace:
    """The program with its call, and the frames."""
    return RenderedTrace(case.context, "".join(json.dumps(one) + "\n" for one in _objects(trace)))


def _objects(trace: Trace) -> Iterator[dict[str, object]]:
    shown: dict[str, str] = {}  # ".." refers to the state that was shown last
    for frame, line in zip(trace.frames, trace.lines, strict=True):
        found: dict[str, object] = {"event": frame.event, "line": line, "source": frame.source.rstrip("\n")}
        if frame.state is None:
            yield {**found, "value": frame.value}
        else:
            shown = {name: shown[name] if value == UNCHANGED else value for name, value in frame.state}
            yield {**found, "locals": shown}
