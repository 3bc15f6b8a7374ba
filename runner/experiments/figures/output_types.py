"""Figure 2 of runs: which types of outputs the wrong answers have, and where failed answers first diverge.

The type of an output is that of the reference result. Truncated answers are in the
lower part of the figure alone, as in the paper.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analyze.diagnosis.divergence import DIVERGENCE_KINDS, NO_TRACE
from analyze.risk.failure_statistics import type_of
from runner.experiments.accuracy_results import csv_text, rounded
from runner.experiments.figures.accuracies import Runs
from runner.experiments.published import OUTPUT_TYPES
from runner.experiments.table1 import by_row
from runner.records.samples import Sample, originals
from runner.statistics.intervals import Interval
from runner.statistics.repeated_answers import estimate_accuracy_by_program

CONTROLLED = ("atomic", "composition", "permutations", "zoo")
"""Benchmarks whose types are chosen, not found."""

TYPES_HEADER = (
    "run,benchmark,type,outputs,wrong,output_percent,wrong_percent,low,high,paper_output_percent,paper_wrong_percent"
)


@dataclass(frozen=True)
class TypeShare:
    """The share of a type among all outputs, and among the wrong answers.

    Attributes:
        type: of the reference result.
        outputs: answers with this type.
        wrong: wrong answers with this type.
        share: of all outputs, in percent.
        wrong_share: of the wrong answers, in percent; None without any.
        interval: of `wrong_share`, 95 %, in percent, clustered by program; None with too few programs.
        published: the paper's values for both shares; None if it has none.
    """

    type: str
    outputs: int
    wrong: int
    share: float
    wrong_share: float | None
    interval: Interval | None
    published: tuple[float, float] | None


@dataclass(frozen=True)
class FailureTypes:
    """The failures of one run on one benchmark.

    Attributes:
        run: its name.
        benchmark: by the paper's name if it has one.
        outputs: answers to original programs.
        wrong: wrong answers among them.
        truncated: truncated answers among them.
        types: a row per type, most frequent output first.
        divergences: number of failed answers by (verdict, type), and in it by kind of first divergence.
    """

    run: str
    benchmark: str
    outputs: int
    wrong: int
    truncated: int
    types: tuple[TypeShare, ...]
    divergences: tuple[tuple[tuple[str, str], tuple[tuple[str, int], ...]], ...]


def failure_types(runs: Runs) -> list[FailureTypes]:
    """The failures of each run and benchmark with at least one, without the benchmarks in `CONTROLLED`."""
    found = []
    for run, samples in runs.items():
        asked = (sample for sample in originals(samples) if sample.asked and sample.benchmark not in CONTROLLED)
        found += [_of_benchmark(run, name, own) for name, own in by_row(asked).items()]
    return [one for one in found if one.wrong or one.truncated]


def _of_benchmark(run: str, benchmark: str, asked: Sequence[Sample]) -> FailureTypes:
    wrong = [sample for sample in asked if sample.verdict == "incorrect"]
    cut = [sample for sample in asked if sample.verdict == "truncated"]
    counts = Counter(type_of(sample.reference) for sample in asked)
    known = OUTPUT_TYPES.get(benchmark, {})
    rows = tuple(_share(name, count, asked, wrong, known.get(name)) for name, count in counts.most_common())
    return FailureTypes(run, benchmark, len(asked), len(wrong), len(cut), rows, tuple(_divergences([*wrong, *cut])))


def _share(
    name: str, count: int, asked: Sequence[Sample], wrong: Sequence[Sample], published: tuple[float, float] | None
) -> TypeShare:
    of_type = [(sample.program, type_of(sample.reference) == name) for sample in wrong]
    failed = sum(is_type for _, is_type in of_type)
    share = 100 * failed / len(wrong) if wrong else None
    interval = estimate_accuracy_by_program(of_type).interval
    return TypeShare(name, count, failed, 100 * count / len(asked), share, interval, published)


def _divergences(failed: Sequence[Sample]) -> Iterator[tuple[tuple[str, str], tuple[tuple[str, int], ...]]]:
    """By verdict and type, most frequent first; the kinds in the order of tables."""
    groups: dict[tuple[str, str], Counter[str]] = {}
    for sample in failed:
        kind = sample.diagnosis.kind if sample.diagnosis else NO_TRACE
        groups.setdefault((sample.verdict, type_of(sample.reference)), Counter())[kind] += 1
    ordered = sorted(groups.items(), key=lambda one: (one[0][0], -one[1].total(), one[0][1]))
    for key, counter in ordered:
        yield key, tuple((kind, counter[kind]) for kind in DIVERGENCE_KINDS if counter[kind])


def types_csv(found: Sequence[FailureTypes]) -> str:
    """The upper part of Figure 2: a row per run, benchmark and type."""
    return csv_text(TYPES_HEADER, (_type_cells(one, row) for one in found for row in one.types))


def _type_cells(one: FailureTypes, row: TypeShare) -> tuple[object, ...]:
    low, high = row.interval or (None, None)
    percents = (row.share, row.wrong_share, low, high, *(row.published or (None, None)))
    return (one.run, one.benchmark, row.type, row.outputs, row.wrong, *map(rounded, percents))


def divergences_csv(found: Sequence[FailureTypes]) -> str:
    """The lower part of Figure 2: a row per run, benchmark, verdict, type and kind of first divergence."""
    rows = (
        (one.run, one.benchmark, verdict, name, kind, count)
        for one in found
        for (verdict, name), counts in one.divergences
        for kind, count in counts
    )
    return csv_text("run,benchmark,verdict,type,first_divergence,answers", rows)
