"""Whether an output that is not right was cut off: one rule for runs, reports and `spellout diagnose`."""

from __future__ import annotations

from analyze.diagnosis.divergence import DivergenceKind
from corpora.program import Grading

CUT_OFF = frozenset({"limit", "long", "context"})
"""Why generation ended, as records say it, where the model did not end it."""


def is_truncated(answer: str | None, kind: DivergenceKind, grading: Grading, stopped: str = "") -> bool:
    """Whether a wrong output is truncated.

    Args:
        answer: the final answer that it gives; None where it gives none.
        kind: of its first divergence.
        grading: how it is graded; a model that answered and ran on was wrong, but every state is some last state.
        stopped: why generation ended, as records say it (default: not known; then an output that is a trace without a
            final answer counts as truncated).

    >>> is_truncated(None, "state", "return"), is_truncated(None, "state", "return", "end")
    (True, False)
    """
    if not stopped:
        return answer is None and kind != "format"
    return stopped in CUT_OFF and (answer is None or grading == "state")
