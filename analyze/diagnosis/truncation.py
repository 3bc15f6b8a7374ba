"""Whether a wrong output was cut off: one rule for runs, reports and `spellout diagnose`."""

from __future__ import annotations

from analyze.diagnosis.divergence import NO_TRACE, Diagnosis, DivergenceKind
from analyze.gold_trace.trace import Trace
from corpora.program import Grading

CUT_OFF = frozenset({"limit", "long", "context"})
"""Values of the record field `stopped` if the model did not end generation itself."""


def is_truncated(answer: str | None, kind: DivergenceKind, grading: Grading, stopped: str = "") -> bool:
    """Returns whether a wrong output is truncated.

    Args:
        answer: The final answer; None if the output gives none.
        kind: The kind of its first divergence.
        grading: How it is graded. If the return value is graded, a model that answered and continued is wrong. If the
            state is graded, every state is a possible last state.
        stopped: The record field `stopped` (default: unknown; then an output that is a trace without a final answer
            counts as truncated).

    Example:
        >>> is_truncated(None, "state", "return"), is_truncated(None, "state", "return", "end")
        (True, False)
    """
    if not stopped:
        return answer is None and kind not in ("format", NO_TRACE)
    return stopped in CUT_OFF and (answer is None or grading == "state")


def is_reference(trace: Trace, found: Diagnosis) -> bool:
    """Returns whether a trace can judge the output with this diagnosis.

    A trace up to a limit, of a call whose end is unknown, judges only an output that was cut off earlier: it gives no
    answer, so that nothing depends on the end.
    """
    if trace.has_ended:
        return bool(trace.frames)
    return found.frame < len(trace.frames) and is_truncated(found.answer, found.kind, trace.grading)
