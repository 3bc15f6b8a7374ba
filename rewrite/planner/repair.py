"""The chance that a rewrite repairs a failure: that a model gets a rewritten program right which it got wrong.

A model decodes the same answer again, so what it got wrong it gets wrong again, unless the rewrite changes the steps
where that may have been. Each step of a trace has a hazard, −log(1 − risk). A step of the rewrite that performs an
operation of the program on the same operands keeps as much of the hazard of the program's step as it has itself; a step
of the program without an operation keeps all of its hazard. The rest is *covered*. With C the covered hazard of the
steps that may have gone wrong, F their whole hazard, and H the hazard of the rewrite, without what it keeps of steps
that are known to have been right,

    P(right after | wrong before) = exp(−H) · (1 − exp(−C)) / (1 − exp(−F)).

Nothing is fitted to rewrites: the hazards are those of the reliability map. `python -m lab.evidence.repairs` compares
the chance with what published rewrites repaired.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, expm1, inf, log
from typing import NamedTuple

from analyze.gold_trace.trace import Trace
from analyze.risk.steps import RecordedOperation
from analyze.tokens.tokenizer import Tokenizer


class StepHazard(NamedTuple):
    """A step of a trace.

    Attributes:
        hazard: −log(1 − risk), risk being the predicted probability that a model gets its frame wrong.
        operations: What it performs.
        line: The line that makes it; None if it is not known.
    """

    hazard: float
    operations: frozenset[RecordedOperation]
    line: int | None = None


@dataclass(frozen=True)
class KnownFailure:
    """What is known of a failure.

    Attributes:
        frame: Index of the first frame that the model got wrong, in the trace of the first call; None: any of any call.
    """

    frame: int | None = None


@dataclass(frozen=True)
class Repair:
    """What decides whether a rewrite repairs a failure. All are hazards, 0 or more.

    Attributes:
        ahead: Of the rewrite, without what it keeps of steps known to have been right.
        covered: Of the steps that may have gone wrong, the part that the rewrite replaces.
        failed: Of the steps that may have gone wrong.
    """

    ahead: float
    covered: float
    failed: float

    @property
    def chance(self) -> float:
        """The chance that the model gets the rewrite right, given that it got the program wrong."""
        return exp(self.worth(0.0, 0.0)) / -expm1(-self.failed) if self.failed > 0 else 0.0

    def worth(self, ahead: float, covered: float) -> float:
        """The logarithm of what a selection reaches that adds to both sums, up to a constant."""
        total = self.covered + covered
        return log(-expm1(-total)) - self.ahead - ahead if total > 0 else -inf


def find_failure(trace: Trace, output: str | Sequence[int], tokenizer: Tokenizer | None = None) -> KnownFailure | None:
    """Where an output first differs from the reference trace of its call; None if its answer is right.

    An output without frames, such as an answer in words, only says that the model failed.
    """
    from analyze.diagnosis.divergence import diagnose  # most plans know no output

    found = diagnose(trace, output, tokenizer)
    if found.correct or found.block_correct:
        return None
    return KnownFailure(found.frame if found.predicted_frames else None)


def predict_repair(
    before: Sequence[Sequence[StepHazard]], after: Sequence[Sequence[StepHazard]], failure: KnownFailure
) -> Repair:
    """Compare the steps of a program with those of its rewrite, under the same calls.

    Args:
        before: The steps of the program's trace, by call.
        after: The same of the rewrite.
        failure: What is known. Without a frame, the sums are averaged over the calls.
    """
    if failure.frame is not None:
        return _of_call(before[0], after[0], min(failure.frame, len(before[0]) - 1))
    found = [_of_call(*pair, None) for pair in zip(before, after, strict=True)]
    sums = (sum(one.ahead for one in found), sum(one.covered for one in found), sum(one.failed for one in found))
    return Repair(*(value / max(1, len(found)) for value in sums))


def _of_call(before: Sequence[StepHazard], after: Sequence[StepHazard], frame: int | None) -> Repair:
    kept = _kept(before, after)
    ahead = sum(step.hazard for step in after)
    first, last = (0, len(before)) if frame is None else (frame, frame + 1)
    failed = sum(step.hazard for step in before[first:last])
    return Repair(max(0.0, ahead - sum(kept[:first])), max(0.0, failed - sum(kept[first:last])), failed)


def _kept(before: Sequence[StepHazard], after: Sequence[StepHazard]) -> list[float]:
    """How much of its hazard each step of the program keeps in the rewrite."""
    performing: defaultdict[RecordedOperation, list[int]] = defaultdict(list)
    for number, step in reversed(list(enumerate(after))):
        for one in step.operations:
            performing[one].append(number)
    left, kept = [step.hazard for step in after], []
    for step in before:
        room = step.hazard if step.operations else 0.0
        for number in sorted({_next(performing[one]) for one in step.operations if performing[one]}):
            part = min(left[number], room)
            left[number] -= part
            room -= part
        kept.append(step.hazard - room)
    return kept


def _next(numbers: list[int]) -> int:
    """The next step that performs an operation; the last one again where the rewrite performs it less often."""
    return numbers.pop() if len(numbers) > 1 else numbers[0]
