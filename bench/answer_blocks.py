"""The published failures whose final RETURN frame is right, by the reason why the paper counts them as wrong.

    .venv/bin/python bench/answer_blocks.py [--data DIR]

The paper grades the `[ANSWER]` block against the label, Spellout the last RETURN frame against execution.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from analyze.auditing.label_errors import CONTRADICTED, compare_label
from analyze.diagnosis.answer_comparison import same_value
from analyze.diagnosis.divergence import Diagnosis
from analyze.diagnosis.recorded_outputs import diagnosable_case, diagnose_case
from corpora import BadRow, read_rows
from lab.published_data import add_data_option

CLOSED = "[/ANSWER]"
REASONS = (
    "The label is wrong: execution contradicts it.",
    "The trace is right and complete, but the output ends before an `[ANSWER]` block.",
    "The block is cut off in the middle of the assertion.",
    "The block has the value in another notation, and was compared as text.",
    "The block repeats the value of the trace wrongly.",
)


def reason(label: str, output: str, diagnosis: Diagnosis) -> int:
    """The index in REASONS of the first one that holds for an output whose RETURN frame is right."""
    if compare_label(diagnosis.truth or "", label) in CONTRADICTED:
        return 0
    if diagnosis.block is None:
        return 1
    if CLOSED not in output:
        return 2
    return 3 if same_value(label, diagnosis.block) else 4


def right_frames(data: Path) -> Iterator[tuple[int, str]]:
    """The reason and the id of each failure whose RETURN frame is right."""
    for row in read_rows(data / "cwm_failures_even.jsonl"):
        case = diagnosable_case(row)
        result = case if isinstance(case, BadRow) else diagnose_case(row, case)
        if isinstance(row, BadRow) or isinstance(case, BadRow) or isinstance(result, BadRow):
            continue
        if result[1].correct:
            yield reason(case.expected or "", str(row.fields["output"]), result[1]), case.id


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_data_option(parser)
    data = parser.parse_args().data
    found = sorted(right_frames(data))
    print("| failures | reason |\n|--:|---|")
    for number, text in enumerate(REASONS):
        names = [name for at, name in found if at == number]
        if names:
            print(f"| {len(names)} | {text.rstrip('.')} ({', '.join(names)}). |")
    failures = sum(1 for _ in read_rows(data / "cwm_failures_even.jsonl"))
    print(f"| **{len(found)}** | **of {failures} failures are right by their last RETURN frame** |")


if __name__ == "__main__":
    main()
