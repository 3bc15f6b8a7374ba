"""The published failures whose final RETURN frame is right, by the reason why the paper counts them as wrong.

    .venv/bin/python bench/answer_blocks.py [--data DIR]

The paper grades the `[ANSWER]` block against the label, Spellout the last RETURN frame against execution.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from harness import command, population, print_table

from analyze.auditing.label_errors import CONTRADICTED, compare_label
from analyze.diagnosis.answer_comparison import same_value
from lab.populations import DiagnosedFailure, diagnosed_failures
from lab.published_data import add_data_option

CLOSED = "[/ANSWER]"
REASONS = (
    "The label is wrong: execution contradicts it.",
    "The trace is right and complete, but the output ends before an `[ANSWER]` block.",
    "The block is cut off in the middle of the assertion.",
    "The block has the value in another notation, and was compared as text.",
    "The block repeats the value of the trace wrongly.",
)


def reason(failure: DiagnosedFailure) -> str:
    """The first one of REASONS that holds for an output whose RETURN frame is right."""
    label, diagnosis = failure.case.expected or "", failure.diagnosis
    if compare_label(diagnosis.truth or "", label) in CONTRADICTED:
        return REASONS[0]
    if diagnosis.block is None:
        return REASONS[1]
    if CLOSED not in failure.output:
        return REASONS[2]
    return REASONS[3 if same_value(label, diagnosis.block) else 4]


def rows(data: Path) -> Iterator[tuple[str, str]]:
    """A row for each reason, and one for all failures."""
    found = sorted((one.case.id, reason(one)) for one in diagnosed_failures(data) if one.diagnosis.correct)
    for text in REASONS:
        names = [name for name, why in found if why == text]
        if names:
            yield str(len(names)), f"{text.rstrip('.')} ({', '.join(names)})."
    failures = len(population("failures", data))
    yield f"**{len(found)}**", f"**of {failures} failures are right by their last RETURN frame**"


if __name__ == "__main__":
    print_table(("failures", "reason"), rows(command(__doc__, add_data_option).parse_args().data), "--:", "---")
