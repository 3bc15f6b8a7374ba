"""Programs of which it is known whether, and at which step, the 32B model failed: what the risk is fitted and tried on.

The even half of CruxEval, with the published failures among it. A failure's frames before its first divergence were
right, that one was wrong, later ones say nothing; a success's frames were all right. A failure whose trace is wholly
right is the grader's and counts as right; one that was cut off while right has no wrong step and is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analyze.diagnosis.divergence import diagnose
from analyze.gold_trace.trace import Trace, trace_call
from analyze.risk.features import features
from analyze.risk.steps import Operation, recorded
from analyze.tokens.tokenizer import default_tokenizer
from corpora.dataset import Row, case_from_row, read_rows
from corpora.program import Case

GIVEN = 3  # the frames that the prompt gives: main's call, its line, the call of the program's function


@dataclass(frozen=True)
class Judged:
    """A program whose trace the model was asked for.

    features: float64 [frames, features]; wrong: the index of the first wrong frame, None where the model was right;
    operations: what made each frame.
    """

    case: Case
    trace: Trace
    features: NDArray[np.float64]
    wrong: int | None
    operations: tuple[tuple[Operation, ...], ...] = ()

    @property
    def failed(self) -> bool:
        """Whether the model went wrong anywhere."""
        return self.wrong is not None

    @property
    def seen(self) -> range:
        """The frames that were judged, and are not given by the prompt."""
        end = len(self.features) if self.wrong is None else min(self.wrong + 1, len(self.features))
        return range(min(GIVEN, end), end)


def read_judged(data: Path) -> list[Judged]:
    """The programs of the two files in `data`, in their order. Raises InputError where one is missing."""
    failures = {
        str(row.fields["id"]): str(row.fields["output"])
        for row in read_rows(data / "cwm_failures_even.jsonl")
        if isinstance(row, Row) and row.fields["benchmark"] == "cruxeval"
    }
    return list(_judged(data / "cruxeval_even.jsonl", failures))


def _judged(path: Path, failures: dict[str, str]) -> Iterator[Judged]:
    tokenizer = default_tokenizer()
    for row in read_rows(path):
        case = case_from_row(row, "cruxeval") if isinstance(row, Row) else row
        if not isinstance(case, Case):
            continue
        trace = trace_call(case.source, case.call)
        diagnosis = diagnose(trace, failures[case.id]) if case.id in failures else None
        if diagnosis is not None and diagnosis.kind == "cut off while right":
            continue
        made = recorded(trace)
        if made is None:
            raise ValueError(f"{case.id}: its operations cannot be recorded")
        rows = [list(step.values.values()) for step in features(trace.frames, made.operations, tokenizer)]
        wrong = diagnosis.frame if diagnosis is not None and diagnosis.kind != "none" else None
        yield Judged(case, trace, np.array(rows), wrong, made.operations)
