"""The paper's Table 1 for a run: counts of correct, incorrect, truncated, and what asking again after a rewrite gained.

Pure arithmetic over records; no files, no printing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runner.samples import ORIGINAL, Sample


@dataclass(frozen=True)
class Row:
    """One benchmark or one kind of it. All are counts of samples; shares are of `samples`, in percent.

    asked_again counts failed samples whose rewrite changed the program, was shown to be the same, and was asked;
    recovered counts those of them that some rewrite brought to the right answer.
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

    @property
    def after(self) -> int:
        """Samples right as they stand or after an intervention."""
        return self.correct + self.recovered

    def percent(self, count: int) -> float:
        """A count as a share of the samples that were asked, in percent; 0 where none were."""
        asked = self.samples - self.not_asked
        return 100 * count / asked if asked else 0.0


@dataclass(frozen=True)
class Table:
    """Table 1: a row a benchmark, and below each a row a family of kinds (or a kind) where it has several."""

    rows: tuple[Row, ...]
    divergences: tuple[tuple[str, int], ...]


def summarize(samples: Iterable[Sample]) -> Table:
    """The table of all attempts of one run, in order of first appearance."""
    every = list(samples)
    rows: list[Row] = []
    for benchmark in dict.fromkeys(sample.benchmark for sample in every):
        chosen = [sample for sample in every if sample.benchmark == benchmark]
        kinds = _grouped(chosen)
        rows.append(_row(benchmark, "", chosen))
        if len(kinds) > 1:
            rows += [_row(benchmark, kind, kinds[kind]) for kind in sorted(kinds)]
    return Table(tuple(rows), tuple(divergences(every)))


def _grouped(samples: list[Sample]) -> dict[str, list[Sample]]:
    """By family ("boolean" of "boolean, depth 3"); by the whole kind where all are of one family."""
    families = {sample.kind.partition(", ")[0] for sample in samples}
    groups: dict[str, list[Sample]] = {}
    for sample in samples:
        kind = sample.kind.partition(", ")[0] if len(families) > 1 else sample.kind
        groups.setdefault(kind, []).append(sample)
    return groups


def divergences(samples: Sequence[Sample]) -> list[tuple[str, int]]:
    """How often each kind of first divergence occurred among the originals that were not answered right."""
    failed = (sample for sample in samples if sample.attempt == ORIGINAL and sample.verdict != "correct")
    return Counter(sample.diagnosis.kind for sample in failed if sample.diagnosis).most_common()


def _row(benchmark: str, kind: str, samples: list[Sample]) -> Row:
    originals = [sample for sample in samples if sample.attempt == ORIGINAL]
    verdicts = Counter(sample.verdict for sample in originals)
    again = [sample for sample in samples if sample.attempt != ORIGINAL and sample.verdict != "not asked"]
    return Row(
        benchmark=benchmark,
        kind=kind,
        samples=len(originals),
        correct=verdicts["correct"],
        incorrect=verdicts["incorrect"],
        truncated=verdicts["truncated"],
        not_asked=verdicts["not asked"],
        asked_again=len({sample.id for sample in again}),
        recovered=len({sample.id for sample in again if sample.verdict == "correct"}),
    )
