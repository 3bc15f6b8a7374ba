"""Diagnoses outputs that predict steps of an execution without being a trace: rows with a field `predicts`.

Only the row can say so: a list of numbers may be a result or the executed lines. Without the field, an output is a
trace or a result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from analyze.diagnosis.annotated_states import diagnose_states
from analyze.diagnosis.divergence import NO_TRACE, Diagnosis
from analyze.diagnosis.executed_lines import diagnose_lines
from analyze.gold_trace.trace import Trace

READERS: Mapping[str, Callable[[Trace, str], Diagnosis | str]] = {"lines": diagnose_lines, "states": diagnose_states}


def diagnose_steps(trace: Trace, output: object, predicts: object) -> Diagnosis:
    """The diagnosis of predicted steps. An output that cannot be read has the kind "no trace" and no answer.

    Args:
        trace: The reference trace.
        output: What the model wrote.
        predicts: Of READERS.

    Returns:
        For an unread output, `predicted` is the reason.
    """
    read = READERS.get(predicts) if isinstance(predicts, str) else None
    if read is None:
        found: Diagnosis | str = f"predicts {predicts!r}, which is not read ({', '.join(READERS)})"
    elif not isinstance(output, str):
        found = "its output is no text"
    elif trace.cut is not None or len(trace.frames) < 3 or not trace.lines:
        found = f"no complete reference trace: {trace.cut_reason}" if trace.cut else trace.missing_reason
    else:
        found = read(trace, output)
    if isinstance(found, Diagnosis):
        return found
    return Diagnosis(NO_TRACE, 0, "", found, truth="", answer=None, correct=False, true_frames=len(trace.frames))
