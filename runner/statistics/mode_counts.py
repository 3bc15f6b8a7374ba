"""Counts for the modes of a run: hallucinated actions of free decoding, single predictions of mode forced.

Only answers to original programs are counted. Every figure comes from the records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from runner.records.samples import HallucinatedAction, Mode, Predictions, Sample, originals
from runner.statistics.intervals import Interval, accuracy_interval, interval_in_percent

PREDICTION_KINDS = {"event": "events", "state": "states", "action": "actions", "value": "returned values"}


@dataclass(frozen=True)
class HallucinatedActions:
    """Answers in free decoding with a hallucinated action. All are counts of answers.

    Attributes:
        answers: all answers.
        hallucinated: answers with a hallucinated action.
        unprompted: those of them without a wrong state or value before the action.
        foreign: those of them whose action is no line of the program.
    """

    answers: int
    hallucinated: int
    unprompted: int
    foreign: int


@dataclass(frozen=True)
class PredictionAccuracy:
    """Single predictions of one kind.

    Attributes:
        kind: a key of `PREDICTION_KINDS`.
        right: how many were right.
        judged: how many were judged.
        programs: how many programs they are about.
        interval: of the share of right ones, 95 %, in percent, clustered by program; None with too few programs.
    """

    kind: str
    right: int
    judged: int
    programs: int = 0
    interval: Interval | None = None


def count_hallucinated_actions(samples: Iterable[Sample]) -> HallucinatedActions | None:
    """The counts over all original programs; None without an answer in free decoding."""
    free = [sample for sample in _asked(samples) if sample.mode == "free" and sample.diagnosis]
    found = [sample.action for sample in free if sample.action]
    if not free:
        return None
    unprompted = sum(not action.after_wrong_state for action in found)
    return HallucinatedActions(len(free), len(found), unprompted, sum(not action.in_program for action in found))


def prediction_accuracies(samples: Iterable[Sample]) -> tuple[PredictionAccuracy, ...]:
    """The accuracy by kind over all traces; empty if no record has predictions."""
    found = [(sample.program, sample.predictions) for sample in _asked(samples) if sample.predictions]
    return tuple(_share(kind, found) for kind in PREDICTION_KINDS) if found else ()


def _share(kind: str, found: Iterable[tuple[str, Predictions]]) -> PredictionAccuracy:
    programs: dict[str, tuple[int, int]] = {}
    for source, predictions in found:
        right, judged = getattr(predictions, kind)
        before = programs.get(source, (0, 0))
        if judged:
            programs[source] = (before[0] + right, before[1] + judged)
    right, judged = [own[0] for own in programs.values()], [own[1] for own in programs.values()]
    interval = interval_in_percent(accuracy_interval(right, judged)) if programs else None
    return PredictionAccuracy(kind, sum(right), sum(judged), len(programs), interval)


def run_mode(samples: Sequence[Sample]) -> Mode:
    """The mode of a run: all its records have the same."""
    return samples[0].mode if samples else "free"


def find_first_action(samples: Sequence[Sample]) -> tuple[Sample, HallucinatedAction] | None:
    """An answer to show: its first hallucinated action follows right states, if possible, and comes early."""
    found = [(sample, sample.action) for sample in _asked(samples) if sample.action]
    return min(found, key=lambda pair: (pair[1].after_wrong_state, pair[1].frame), default=None)


def _asked(samples: Iterable[Sample]) -> Iterator[Sample]:
    return (sample for sample in originals(samples) if sample.asked)
