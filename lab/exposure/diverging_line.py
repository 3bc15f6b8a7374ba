"""The line where a model's simulation diverged, which a plan should have exposed.

For `bench/planned.py`, which compares plans with published failures. Whether the model is
right once the line is exposed is known only after asking it.
"""

from __future__ import annotations

from analyze.diagnosis.divergence import diagnose
from analyze.gold_trace.trace import trace_call
from analyze.risk.assessment import assess

VALUES = ("state", "return value")


def find_diverging_line(source: str, call: str, output: str) -> int | None:
    """The line that computed the first wrong value of a model's output; None if the first divergence is no value."""
    if not output:
        return None
    trace = trace_call(source, call)
    found = diagnose(trace, output)
    if trace.cut is not None or found.kind not in VALUES or found.frame is None:
        return None
    steps = assess(source, call).steps
    return steps[found.frame].made_by if found.frame < len(steps) else None
