"""Where a model really went wrong: the line that a plan should have spelled out.

For `rewrite.planner.fit` and `bench/planned.py`, which hold plans against published failures. What it does not do: say
whether the model is right when the line is spelled out; only asking it does.
"""

from __future__ import annotations

from analyze.diagnosis.divergence import diagnose
from analyze.gold_trace.trace import trace_call
from analyze.risk.assessment import assess

VALUES = ("state", "return value")


def find_diverging_line(source: str, call: str, output: str) -> int | None:
    """The line whose execution made the first wrong value of a model's output; None where it was no value."""
    if not output:
        return None
    trace = trace_call(source, call)
    found = diagnose(trace, output)
    if trace.cut is not None or found.kind not in VALUES or found.frame is None:
        return None
    steps = assess(source, call).steps
    return steps[found.frame].made_by if found.frame < len(steps) else None
