"""Accuracy of a run with one or several answers to each sample, with its confidence interval.

The accuracy is the share of right answers. If every sample has the same number of answers, it is the mean over
seeds. Answers to one sample, and to samples of one program, succeed or fail together, so the interval is clustered by
program (`runner.statistics.intervals`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from runner.records.samples import Sample
from runner.statistics.groups import grouped
from runner.statistics.intervals import Interval, accuracy_interval, interval_in_percent


@dataclass(frozen=True)
class RepeatedAnswers:
    """Several answers to each of some samples.

    Attributes:
        temperature: of sampling.
        seeds: the most answers that one sample has.
        samples: how many samples were asked.
        right_once: samples with at least one right answer (pass@`seeds`, if each sample has as many answers).
        right_always: samples whose answers are all right.
    """

    temperature: float
    seeds: int
    samples: int
    right_once: int
    right_always: int


def repeated_answers(asked: Sequence[Sample]) -> RepeatedAnswers | None:
    """Counts over samples with several answers; None if no sample has more than one."""
    groups = grouped(asked, lambda sample: sample.case_key or sample.pairing_key).values()
    answers = [[sample.is_correct for sample in group] for group in groups]
    most = max(map(len, answers), default=0)
    if most < 2:
        return None
    return RepeatedAnswers(asked[0].temperature, most, len(answers), sum(map(any, answers)), sum(map(all, answers)))


@dataclass(frozen=True)
class AccuracyEstimate:
    """The accuracy of some answers.

    Attributes:
        programs: how many programs the answers are about.
        interval: 95 % confidence interval in percent; None where nothing was asked, or with too few programs.
    """

    programs: int
    interval: Interval | None


def estimate_accuracy(asked: Sequence[Sample], recovered: Collection[str] = ()) -> AccuracyEstimate:
    """The number of programs, and the interval of the share of right answers.

    Args:
        asked: answers to original programs.
        recovered: samples (`Sample.pairing_key`) that count as right as well.
    """
    return estimate_accuracy_by_program((one.program, one.is_correct or one.pairing_key in recovered) for one in asked)


def estimate_accuracy_by_program(answers: Iterable[tuple[str, bool]]) -> AccuracyEstimate:
    """The same from pairs of the program that an answer is about, and whether it is right."""
    programs = grouped(answers, lambda answer: answer[0])
    right = [sum(is_right for _, is_right in own) for own in programs.values()]
    counts = list(map(len, programs.values()))
    return AccuracyEstimate(len(programs), interval_in_percent(accuracy_interval(right, counts)) if programs else None)


def describe_repeated_answers(found: RepeatedAnswers) -> str:
    """A clause for reports: number of answers, temperature, pass@N."""
    once, always = (f"{100 * count / found.samples:.1f} %" for count in (found.right_once, found.right_always))
    return (
        f"up to {found.seeds} answers were sampled for each of {found.samples} samples, at temperature "
        f"{found.temperature:g}; at least one is right for {once} of them (pass@{found.seeds}), all are for {always}"
    )
