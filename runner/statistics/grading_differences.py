"""Two gradings of one run: by the last RETURN frame against execution, and by the `[ANSWER]` block against the label.

Spellout grades by the RETURN frame: the trace is what a code world model predicts, and execution does not err. The
paper grades by the `[ANSWER]` block, which repeats the value after the trace. Both verdicts are in every record, so a
run can be reported under either.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from analyze.auditing.label_errors import CONTRADICTED, compare_label
from runner.records.samples import Sample, originals
from runner.statistics.groups import grouped

Grade = Literal["return", "answer"]
GRADES: tuple[Grade, ...] = ("return", "answer")
GRADE_NAMES: dict[Grade, str] = {"return": "last RETURN frame", "answer": "[ANSWER] block"}


@dataclass(frozen=True)
class GradingDifference:
    """How the two gradings differ on the original programs of one benchmark. All are counts of answers.

    Attributes:
        benchmark: of the answers.
        graded: answers that have both grades.
        by_return: right by the last RETURN frame.
        by_answer: right by the `[ANSWER]` block.
        only_return: right by the RETURN frame alone.
        only_answer: right by the block alone.
        no_block: those of `only_return` whose output has no block.
        wrong_labels: those of both whose label execution contradicts.
    """

    benchmark: str
    graded: int
    by_return: int
    by_answer: int
    only_return: int
    only_answer: int
    no_block: int
    wrong_labels: int


def regraded(samples: Iterable[Sample], grade: Grade) -> list[Sample]:
    """The samples with the verdict of this grading as `verdict`, and that of the other as `answer_verdict`.

    Samples without a block (other prompt formats, S_n) keep the verdict that they have.
    """
    if grade == "return":
        return list(samples)
    return [replace(s, verdict=s.answer_verdict, answer_verdict=s.verdict) if s.answer_verdict else s for s in samples]


def grading_differences(samples: Sequence[Sample]) -> tuple[GradingDifference, ...]:
    """By benchmark; none where no output has a block. The samples are as recorded, not regraded."""
    graded = [sample for sample in originals(samples) if sample.asked and sample.answer_verdict is not None]
    by_benchmark = grouped(graded, lambda sample: sample.benchmark).items()
    return tuple(_difference(name, own) for name, own in by_benchmark if _any_block(own))


def _any_block(samples: Sequence[Sample]) -> bool:
    return any(sample.answer_block is not None for sample in samples)


def _difference(name: str, samples: Sequence[Sample]) -> GradingDifference:
    by_return = [sample for sample in samples if sample.is_correct]
    by_answer = [sample for sample in samples if sample.answer_verdict == "correct"]
    only_return = [sample for sample in by_return if sample.answer_verdict != "correct"]
    only_answer = [sample for sample in by_answer if not sample.is_correct]
    return GradingDifference(
        benchmark=name,
        graded=len(samples),
        by_return=len(by_return),
        by_answer=len(by_answer),
        only_return=len(only_return),
        only_answer=len(only_answer),
        no_block=sum(sample.answer_block is None for sample in only_return),
        wrong_labels=sum(map(has_wrong_label, (*only_return, *only_answer))),
    )


def has_wrong_label(sample: Sample) -> bool:
    """Whether execution contradicts the label."""
    return sample.expected is not None and compare_label(sample.reference, sample.expected) in CONTRADICTED


def describe_difference(found: GradingDifference) -> str:
    """One sentence with both accuracies and the size of the difference."""
    shares = [100 * count / found.graded for count in (found.by_return, found.by_answer)]
    said = (
        f"{found.benchmark}: {shares[0]:.1f} % of {found.graded} answers are right by their last RETURN frame against "
        f"execution, {shares[1]:.1f} % by their [ANSWER] block against the label, the paper's grading"
    )
    if not found.only_return and not found.only_answer:
        return f"{said}; no answer is graded differently."
    why = f"; {found.no_block} without a block" if found.no_block else ""
    why += f"; {found.wrong_labels} with a label that execution contradicts" if found.wrong_labels else ""
    return f"{said} ({found.only_return} right by the frame alone, {found.only_answer} by the block alone{why})."
