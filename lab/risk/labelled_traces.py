"""Programs with known outcomes of the 32B model: whether it failed and at which step. They fit and validate the risk.

The data is the even half of CruxEval, including the published failures. In a failure, frames before the first
divergence are correct, that frame is wrong, and later frames are not labelled. In a success, all frames are correct. A
failure whose trace is completely correct is an error of the grader and counts as a success. A failure that was cut off
while correct has no wrong step and is excluded. The panel says how often other models fail on the same programs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analyze.diagnosis.divergence import diagnose
from analyze.gold_trace.trace import Trace, trace_call
from analyze.risk.features import FEATURE_DESCRIPTIONS, step_features
from analyze.risk.panel import read_panel
from analyze.risk.steps import PROMPT_FRAMES, RecordedOperation, record_operations
from analyze.tokens.tokenizer import default_tokenizer
from corpora.dataset import Row, case_from_row, read_rows
from corpora.program import Case


@dataclass(frozen=True)
class LabelledTrace:
    """A program, its reference trace, and the step at which the model failed.

    Attributes:
        case: The program and call.
        trace: Its reference trace.
        features: float64 [frames, features].
        wrong: Index of the first wrong frame; None if the model was correct.
        operations: The operations that produce each frame.
        difficulty: The mean failure rate of the panel's stronger runs on the program; None if no panel has it.
    """

    case: Case
    trace: Trace
    features: NDArray[np.float64]
    wrong: int | None
    operations: tuple[tuple[RecordedOperation, ...], ...] = ()
    difficulty: float | None = None

    @property
    def failed(self) -> bool:
        """Whether the model got any frame wrong."""
        return self.wrong is not None

    @property
    def labelled_frames(self) -> range:
        """The frames with a label, without those in the prompt."""
        end = len(self.features) if self.wrong is None else min(self.wrong + 1, len(self.features))
        return range(min(PROMPT_FRAMES, end), end)


def read_labelled_traces(data: Path) -> list[LabelledTrace]:
    """Reads the programs of the two files in `data`, in their order, with their difficulty if the panel is there too.

    Raises:
        InputError: If one of the two files is missing.
    """
    panel = data / "panel_even.jsonl.gz"
    difficulty = read_panel(panel).difficulty if panel.is_file() else {}
    return list(_judged(data / "cruxeval_even.jsonl", published_failures(data, "output"), difficulty))


def published_failures(data: Path, field: str) -> dict[str, str]:
    """Returns one field of the published failures on CruxEval, by id. Raises InputError if the file is missing."""
    rows = [row.fields for row in read_rows(data / "cwm_failures_even.jsonl") if isinstance(row, Row)]
    return {str(fields["id"]): str(fields[field]) for fields in rows if fields["benchmark"] == "cruxeval"}


def _judged(path: Path, failures: dict[str, str], difficulty: dict[str, float]) -> Iterator[LabelledTrace]:
    tokenizer = default_tokenizer()
    for row in read_rows(path):
        case = case_from_row(row, "cruxeval") if isinstance(row, Row) else row
        if not isinstance(case, Case):
            continue
        trace = trace_call(case.source, case.call)
        diagnosis = diagnose(trace, failures[case.id]) if case.id in failures else None
        if diagnosis is not None and diagnosis.kind == "cut off while right":
            continue
        made = record_operations(trace)
        if made is None:
            raise ValueError(f"{case.id}: its operations cannot be recorded")
        steps = step_features(trace.frames, made.operations, tokenizer)
        rows = [[step.values.get(name, 0.0) for name in FEATURE_DESCRIPTIONS] for step in steps]
        wrong = diagnosis.frame if diagnosis is not None and diagnosis.kind != "none" else None
        yield LabelledTrace(case, trace, np.array(rows), wrong, made.operations, difficulty.get(case.id))
