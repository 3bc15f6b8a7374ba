"""The paper's Table 1 for a run: counts of correct, incorrect and truncated answers, and the gain after rewriting.

Samples that were not asked, or have no recorded output, are in no accuracy and are counted separately. Pure arithmetic
over records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from analyze.diagnosis.divergence import NO_TRACE
from runner.records.samples import CONTROLS, ORIGINAL, UNREAD, UNRECORDED, Sample, originals
from runner.statistics.grading_differences import has_wrong_label
from runner.statistics.groups import grouped
from runner.statistics.intervals import Interval
from runner.statistics.mode_counts import (
    HallucinatedActions,
    PredictionAccuracy,
    count_hallucinated_actions,
    prediction_accuracies,
)
from runner.statistics.recipe_effects import RecipeEffect, recipe_effects
from runner.statistics.repeated_answers import RepeatedAnswers, estimate_accuracy, repeated_answers


@dataclass(frozen=True)
class Table1Row:
    """One benchmark, or one kind of it. Counts are of samples; sampled answers to one sample count as samples.

    Attributes:
        benchmark: name of the benchmark.
        kind: the benchmark's own category, or "" for all.
        samples: all samples.
        correct: right answers.
        incorrect: wrong answers.
        truncated: answers cut off before they gave a result.
        not_asked: samples without an answer.
        asked_again: failed samples whose rewrite changed the program, was verified, and was answered.
        recovered: those of them that some rewrite, other than a control, made right.
        unrecorded: failed samples, not recovered, for whose rewrite a recording has no output; with them `after` is a
            lower bound.
        programs: programs that the asked samples are calls of.
        interval: of `correct`, 95 %, in percent, clustered by program; None if nothing was asked, or with too few
            programs.
        after_interval: the same of `after`.
        drawn: counts over sampled answers; None for one answer per sample.
        unread: samples that are not asked because no value can be read from their recorded output.
        other_correct: right answers under the other grading (`runner.statistics.grading_differences`); None if no
            answer has an `[ANSWER]` block graded.
    """

    benchmark: str
    kind: str
    samples: int
    correct: int
    incorrect: int
    truncated: int
    not_asked: int
    asked_again: int
    recovered: int
    unrecorded: int = 0
    programs: int = 0
    interval: Interval | None = None
    after_interval: Interval | None = None
    drawn: RepeatedAnswers | None = None
    other_correct: int | None = None
    unread: int = 0

    @property
    def asked(self) -> int:
        """Samples with an answer."""
        return self.samples - self.not_asked

    @property
    def after(self) -> int:
        """Samples that are correct for the original or for a rewritten program."""
        return self.correct + self.recovered

    @property
    def has_rate(self) -> bool:
        """Whether counts may be given in percent: some samples have an answer, and most outputs could be read.

        The answers that can be read are no sample of all answers.
        """
        return self.asked > 0 and self.asked >= self.unread

    def percent(self, count: int) -> float | None:
        """A count in percent of the samples that were asked; None if it would mean nothing."""
        return 100 * count / self.asked if self.has_rate else None


@dataclass(frozen=True)
class Table1:
    """Table 1 of a run.

    Attributes:
        rows: a row per benchmark, followed by a row per family of kinds (or kind) if there are several.
        divergences: number of failures by kind of first divergence.
        effects: of recipes and controls.
        actions: hallucinated actions of free decoding.
        predictions: accuracy of single predictions in mode `forced`.
    """

    rows: tuple[Table1Row, ...]
    divergences: tuple[tuple[str, int], ...]
    effects: tuple[RecipeEffect, ...] = ()
    actions: HallucinatedActions | None = None
    predictions: tuple[PredictionAccuracy, ...] = ()


def summarize(samples: Iterable[Sample]) -> Table1:
    """The table of all attempts of one run, sorted by benchmark and recipe."""
    every = sort_samples(samples)
    rows: list[Table1Row] = []
    for benchmark, chosen in grouped(every, lambda sample: sample.benchmark).items():
        kinds = _grouped(chosen)
        rows.append(_row(benchmark, "", chosen))
        if len(kinds) > 1:
            rows += [_row(benchmark, kind, kinds[kind]) for kind in sorted(kinds)]
    return Table1(
        tuple(rows),
        tuple(count_divergences(every)),
        tuple(recipe_effects(every)),
        count_hallucinated_actions(every),
        prediction_accuracies(every),
    )


def sort_samples(samples: Iterable[Sample]) -> list[Sample]:
    """The samples in the order of reports, whatever the order in which they were answered or recorded."""

    def place(s: Sample) -> tuple[str, bool, str, str, str, str, int]:
        return s.benchmark, s.attempt != ORIGINAL, s.attempt, s.id, s.call, s.pairing_key, s.answer_index or 0

    return sorted(samples, key=place)


def contradicted_labels(samples: Iterable[Sample]) -> list[Sample]:
    """The originals whose label execution contradicts: the labels are wrong, not the answers."""
    return [sample for sample in originals(samples) if sample.reference and has_wrong_label(sample)]


def _grouped(samples: list[Sample]) -> dict[str, list[Sample]]:
    """By family ("boolean" of "boolean, depth 3"), or by kind if all belong to one family."""
    families = {sample.kind.partition(", ")[0] for sample in samples}
    return grouped(samples, lambda sample: sample.kind.partition(", ")[0] if len(families) > 1 else sample.kind)


def _right_otherwise(answered: Sequence[Sample]) -> int | None:
    graded = [sample for sample in answered if sample.answer_verdict is not None]
    right = sum(sample.answer_verdict == "correct" for sample in graded)
    return right if right or any(sample.answer_block is not None for sample in graded) else None


def count_divergences(samples: Sequence[Sample]) -> list[tuple[str, int]]:
    """The kinds of first divergence of failed answers to original programs, most frequent first.

    Empty if no answer is a trace, as of models that answer in words.
    """
    failed = [sample for sample in originals(samples) if sample.verdict in {"incorrect", "truncated"}]
    counts = Counter(sample.diagnosis.kind if sample.diagnosis else NO_TRACE for sample in failed)
    if not any(sample.diagnosis for sample in samples):
        return []
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _row(benchmark: str, kind: str, samples: list[Sample]) -> Table1Row:
    firsts = originals(samples)
    verdicts = Counter(sample.verdict for sample in firsts)
    failed = {sample.pairing_key for sample in firsts if sample.verdict in {"incorrect", "truncated"}}
    again = [s for s in samples if s.attempt not in {ORIGINAL, *CONTROLS} and s.pairing_key in failed]
    recovered = {sample.pairing_key for sample in again if sample.is_correct}
    answered = [sample for sample in firsts if sample.asked]
    found = estimate_accuracy(answered)
    return Table1Row(
        benchmark=benchmark,
        kind=kind,
        samples=len(firsts),
        correct=verdicts["correct"],
        incorrect=verdicts["incorrect"],
        truncated=verdicts["truncated"],
        not_asked=verdicts["not asked"],
        asked_again=len({sample.pairing_key for sample in again if sample.asked}),
        recovered=len(recovered),
        unrecorded=len({sample.pairing_key for sample in again if sample.reason == UNRECORDED} - recovered),
        programs=found.programs,
        interval=found.interval,
        after_interval=estimate_accuracy(answered, recovered).interval,
        drawn=repeated_answers(answered),
        other_correct=_right_otherwise(answered),
        unread=sum(sample.reason.startswith(UNREAD) for sample in firsts),
    )
