"""The paper's Table 1 for a run: counts of correct, incorrect, truncated, and what asking again after a rewrite gained.

What was not asked, or has no recorded output, is in no share and is counted beside. Pure arithmetic over records; no
files, no printing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from analyze.auditing.label_errors import CONTRADICTED, compare
from runner.records.samples import CONTROLS, ORIGINAL, UNRECORDED, Sample
from runner.statistics.intervals import Interval
from runner.statistics.mode_counts import HallucinatedActions, PredictionAccuracy, actions, predictions
from runner.statistics.recipe_effects import Effect, effects
from runner.statistics.repeated_answers import RepeatedAnswers, accuracy, repeated_answers


@dataclass(frozen=True)
class Row:
    """One benchmark or one kind of it. All are counts of samples; shares are of `asked`, in percent.

    asked_again counts failed samples whose rewrite changed the program, was shown to be the same, and was answered;
    recovered counts those of them that some rewrite brought to the right answer, those of controls left out; unrecorded
    counts those not recovered that were to be asked again and for which a recording has no output: with them `after` is
    a lower bound. programs counts those that the asked samples are calls of. interval and after_interval are those of
    `correct` and `after`, of 95 %, in percent, clustered by program (`runner.statistics.intervals`); None where nothing
    was asked, or with too few programs. drawn: where several answers were drawn to each sample, which are all counted
    here as samples.
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
    """Right under the other grading (`runner.statistics.grading`); None if no answer has an `[ANSWER]` block graded."""

    @property
    def asked(self) -> int:
        """Samples with an answer."""
        return self.samples - self.not_asked

    @property
    def after(self) -> int:
        """Samples right as they stand or after an intervention."""
        return self.correct + self.recovered

    def percent(self, count: int) -> float | None:
        """A count as a share of the samples that were asked, in percent; None where none were."""
        return 100 * count / self.asked if self.asked else None


@dataclass(frozen=True)
class Table:
    """Table 1: a row a benchmark, and below each a row a family of kinds (or a kind) where it has several.

    actions: of free decoding; predictions: of mode forced.
    """

    rows: tuple[Row, ...]
    divergences: tuple[tuple[str, int], ...]
    effects: tuple[Effect, ...] = ()
    actions: HallucinatedActions | None = None
    predictions: tuple[PredictionAccuracy, ...] = ()


def summarize(samples: Iterable[Sample]) -> Table:
    """The table of all attempts of one run, benchmarks and recipes by name."""
    every = in_order(samples)
    rows: list[Row] = []
    for benchmark in dict.fromkeys(sample.benchmark for sample in every):
        chosen = [sample for sample in every if sample.benchmark == benchmark]
        kinds = _grouped(chosen)
        rows.append(_row(benchmark, "", chosen))
        if len(kinds) > 1:
            rows += [_row(benchmark, kind, kinds[kind]) for kind in sorted(kinds)]
    return Table(tuple(rows), tuple(divergences(every)), tuple(effects(every)), actions(every), predictions(every))


def in_order(samples: Iterable[Sample]) -> list[Sample]:
    """The samples in the one order of reports, whatever the order in which they were answered or recorded."""

    def place(sample: Sample) -> tuple[str, bool, str, str, str, str, int]:
        rewritten = sample.attempt != ORIGINAL
        return (
            sample.benchmark,
            rewritten,
            sample.attempt,
            sample.id,
            sample.call,
            sample.pairing_key,
            sample.answer_index or 0,
        )

    return sorted(samples, key=place)


def contradicted(samples: Iterable[Sample]) -> list[Sample]:
    """The originals whose expected result is not what running them gives: labels to be mended, not answers."""
    originals = (sample for sample in samples if sample.attempt == ORIGINAL and sample.reference)
    return [s for s in originals if s.expected is not None and compare(s.reference, s.expected) in CONTRADICTED]


def _grouped(samples: list[Sample]) -> dict[str, list[Sample]]:
    """By family ("boolean" of "boolean, depth 3"); by the whole kind where all are of one family."""
    families = {sample.kind.partition(", ")[0] for sample in samples}
    groups: dict[str, list[Sample]] = {}
    for sample in samples:
        kind = sample.kind.partition(", ")[0] if len(families) > 1 else sample.kind
        groups.setdefault(kind, []).append(sample)
    return groups


def _right_otherwise(answered: Sequence[Sample]) -> int | None:
    graded = [sample.answer_verdict for sample in answered if sample.answer_verdict is not None]
    return graded.count("correct") if graded else None


def divergences(samples: Sequence[Sample]) -> list[tuple[str, int]]:
    """How often each kind of first divergence occurred among the originals that were answered, and not right."""
    failed = (s for s in samples if s.attempt == ORIGINAL and s.verdict in {"incorrect", "truncated"})
    counts = Counter(sample.diagnosis.kind for sample in failed if sample.diagnosis)
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _row(benchmark: str, kind: str, samples: list[Sample]) -> Row:
    originals = [sample for sample in samples if sample.attempt == ORIGINAL]
    verdicts = Counter(sample.verdict for sample in originals)
    failed = {sample.pairing_key for sample in originals if sample.verdict in {"incorrect", "truncated"}}
    again = [s for s in samples if s.attempt not in {ORIGINAL, *CONTROLS} and s.pairing_key in failed]
    recovered = {sample.pairing_key for sample in again if sample.verdict == "correct"}
    answered = [sample for sample in originals if sample.asked]
    found = accuracy(answered)
    return Row(
        benchmark=benchmark,
        kind=kind,
        samples=len(originals),
        correct=verdicts["correct"],
        incorrect=verdicts["incorrect"],
        truncated=verdicts["truncated"],
        not_asked=verdicts["not asked"],
        asked_again=len({sample.pairing_key for sample in again if sample.asked}),
        recovered=len(recovered),
        unrecorded=len({sample.pairing_key for sample in again if sample.reason == UNRECORDED} - recovered),
        programs=found.programs,
        interval=found.interval,
        after_interval=accuracy(answered, recovered).interval,
        drawn=repeated_answers(answered),
        other_correct=_right_otherwise(answered),
    )
