"""What each recipe did: recovered, alone or not, gained and lost, traces longer and cut off.

Pure arithmetic over records, as `runner.statistics.summary`. Two protocols leave such records. Where only failed
samples were rewritten, as in the paper, a recipe can only gain, and `Effect.paired` is None. Where all were (`run
--full`), every sample that was answered both ways is a pair, and the placebo's row says what asking again gains by
itself.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from rewrite.baselines.placebo import PLACEBO
from runner.records.samples import ORIGINAL, Sample
from runner.statistics.intervals import Interval
from runner.statistics.paired import Pair, PairedComparison, compare_pairs
from runner.statistics.repeated_answers import accuracy_by_program, repeated_answers


@dataclass(frozen=True)
class Effect:
    """What one recipe did to the samples of one benchmark that were asked again after it.

    Attributes:
        benchmark: of the samples.
        recipe: name of the recipe or control.
        asked: samples that were asked again.
        failed: those of them that were wrong or truncated as they stood.
        recovered: those that are right after it.
        unique: those that no other recipe of the run recovered.
        before: tokens of the reference traces of all, as they stood.
        after: the same of the rewritten programs.
        median_before: of one trace.
        median_after: of one trace.
        uncounted: samples of which a trace is too long to be counted; they are in none of the four.
        truncated_before: answers that were truncated.
        truncated_after: the same after the rewrite.
        recovered_interval: of recovered as a share of asked, in percent, clustered by program.
        paired: gained and lost, where right answers were asked again too.
        drawn: whether several answers were drawn to each sample; each counts as a sample here.
    """

    benchmark: str
    recipe: str
    asked: int
    failed: int
    recovered: int
    unique: int
    before: int
    after: int
    median_before: float
    median_after: float
    uncounted: int
    truncated_before: int
    truncated_after: int
    recovered_interval: Interval | None = None
    paired: PairedComparison | None = None
    drawn: bool = False

    @property
    def placebo(self) -> bool:
        """Whether the recipe is the one that intervenes in nothing."""
        return self.recipe == PLACEBO


def effects(samples: Sequence[Sample]) -> list[Effect]:
    """A row a benchmark and recipe that anything was asked again after, the placebo last."""
    originals = {sample.of: sample for sample in samples if sample.attempt == ORIGINAL and sample.asked}
    again = [sample for sample in samples if sample.attempt != ORIGINAL and sample.asked and sample.of in originals]
    groups: dict[tuple[str, str], list[Sample]] = {}
    for sample in again:
        groups.setdefault((sample.benchmark, sample.attempt), []).append(sample)
    recovered = {name: _recovered(group, originals) for name, group in groups.items()}
    full = _full(again, originals)
    found = [
        _effect(name, group, originals, _others(name, recovered), full=name[0] in full)
        for name, group in groups.items()
    ]
    return sorted(found, key=lambda effect: effect.placebo)


def _full(again: Sequence[Sample], originals: Mapping[str, Sample]) -> set[str]:
    """The benchmarks of which all samples were asked again: right ones too, or there are none and a placebo is."""
    right = {sample.benchmark for sample in originals.values() if sample.verdict == "correct"}
    asked_right = {sample.benchmark for sample in again if originals[sample.of].verdict == "correct"}
    return asked_right | ({sample.benchmark for sample in again if sample.attempt == PLACEBO} - right)


def _recovered(group: Sequence[Sample], originals: Mapping[str, Sample]) -> set[str]:
    return {s.of for s in group if s.verdict == "correct" and originals[s.of].verdict != "correct"}


def _others(name: tuple[str, str], recovered: Mapping[tuple[str, str], set[str]]) -> set[str]:
    """What other recipes recovered of the same benchmark."""
    others = (found for other, found in recovered.items() if other[0] == name[0] and other != name)
    return set().union(*others)


def _effect(
    name: tuple[str, str], again: list[Sample], originals: Mapping[str, Sample], others: Collection[str], *, full: bool
) -> Effect:
    firsts = [originals[sample.of] for sample in again]
    lengths = [(first.reference_tokens, sample.reference_tokens) for first, sample in zip(firsts, again, strict=True)]
    counted = [(before, after) for before, after in lengths if before is not None and after is not None]
    before, after = [pair[0] for pair in counted], [pair[1] for pair in counted]
    recovered = _recovered(again, originals)
    return Effect(
        benchmark=name[0],
        recipe=name[1],
        asked=len(again),
        failed=sum(first.verdict != "correct" for first in firsts),
        recovered=len(recovered),
        unique=len(recovered - set(others)),
        before=sum(before),
        after=sum(after),
        median_before=median(before) if before else 0,
        median_after=median(after) if after else 0,
        uncounted=len(again) - len(counted),
        truncated_before=sum(first.verdict == "truncated" for first in firsts),
        truncated_after=sum(sample.verdict == "truncated" for sample in again),
        recovered_interval=accuracy_by_program((first.source, first.of in recovered) for first in firsts).interval,
        paired=compare_pairs(map(_pair, firsts, again)) if full else None,
        drawn=repeated_answers(firsts) is not None,
    )


def _pair(first: Sample, again: Sample) -> Pair:
    return Pair(first.verdict == "correct", again.verdict == "correct", first.source)
