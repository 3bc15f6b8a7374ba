"""The effect of each recipe: recovered samples, gains and losses, trace lengths, truncation, and the test of a control.

A control intervenes in nothing: the placebo renames variables, at temperatures above 0 the unchanged program is asked
again. What a control recovers, asking again recovers by itself. Two protocols leave such records. If only failed
samples were asked again, as in the paper, a recipe can only gain, and `RecipeEffect.paired` is None. If all were (`run
--full`), every sample answered before and after is a pair. In both, a recipe is tested against the control on the
samples that were asked again after both.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from runner.records.samples import CONTROLS, ORIGINAL, Sample, originals
from runner.statistics.groups import grouped
from runner.statistics.intervals import Interval
from runner.statistics.paired import AnswerPair, PairedComparison, compare_pairs
from runner.statistics.repeated_answers import estimate_accuracy_by_program, repeated_answers


@dataclass(frozen=True)
class RecipeEffect:
    """What one recipe did to the samples of one benchmark that were asked again after it.

    Attributes:
        benchmark: of the samples.
        recipe: name of the recipe or control.
        asked: samples that were asked again.
        failed: those of them whose first answer was wrong or truncated.
        recovered: failed samples that are right after the recipe.
        unique: recovered samples that no other recipe or control of the run recovered.
        before: tokens of the reference traces of all samples, before the rewrite.
        after: the same after the rewrite.
        median_before: tokens of the median trace before the rewrite.
        median_after: the same after the rewrite.
        uncounted: samples with a trace too long to be counted; the four token counts leave them out.
        truncated_before: truncated first answers.
        truncated_after: the same after the rewrite.
        recovered_interval: of recovered as a share of asked, in percent, clustered by program.
        paired: before and after, if right answers were asked again too.
        against_control: after the control and after the recipe, if a control was asked about the same samples.
        drawn: whether several answers were sampled for each sample; each counts as a sample here.
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
    against_control: PairedComparison | None = None
    drawn: bool = False

    @property
    def is_control(self) -> bool:
        """Whether it intervenes in nothing."""
        return self.recipe in CONTROLS


def recipe_effects(samples: Sequence[Sample]) -> list[RecipeEffect]:
    """One effect per benchmark and recipe that was asked about again, controls last."""
    firsts = {sample.pairing_key: sample for sample in originals(samples) if sample.asked}
    again = [s for s in samples if s.attempt != ORIGINAL and s.asked and s.pairing_key in firsts]
    groups = grouped(again, lambda sample: (sample.benchmark, sample.attempt))
    recovered = {name: _recovered(group, firsts) for name, group in groups.items()}
    controls = {sample.pairing_key: sample for sample in again if sample.attempt in CONTROLS}
    full = _fully_asked(again, firsts)
    found = [
        replace(
            _effect(name, group, firsts, _recovered_by_others(name, recovered), full=name[0] in full),
            against_control=None if name[1] in CONTROLS else _against(group, controls, firsts),
        )
        for name, group in groups.items()
    ]
    return sorted(found, key=lambda effect: effect.is_control)


def _against(
    again: Sequence[Sample], controls: Mapping[str, Sample], firsts: Mapping[str, Sample]
) -> PairedComparison | None:
    """The control's answers and the recipe's to the same samples."""
    both = [(controls[sample.pairing_key], sample) for sample in again if sample.pairing_key in controls]
    pairs = [AnswerPair(one.is_correct, own.is_correct, firsts[own.pairing_key].program) for one, own in both]
    return compare_pairs(pairs) if pairs else None


def _fully_asked(again: Sequence[Sample], firsts: Mapping[str, Sample]) -> set[str]:
    """The benchmarks of which all samples were asked again: some were right, or none was and there is a control."""
    right = {sample.benchmark for sample in firsts.values() if sample.is_correct}
    asked_right = {sample.benchmark for sample in again if firsts[sample.pairing_key].is_correct}
    return asked_right | ({sample.benchmark for sample in again if sample.attempt in CONTROLS} - right)


def _recovered(group: Sequence[Sample], firsts: Mapping[str, Sample]) -> set[str]:
    return {s.pairing_key for s in group if s.is_correct and not firsts[s.pairing_key].is_correct}


def _recovered_by_others(name: tuple[str, str], recovered: Mapping[tuple[str, str], set[str]]) -> set[str]:
    """What other recipes and controls recovered of the same benchmark."""
    others = (found for other, found in recovered.items() if other[0] == name[0] and other != name)
    return set().union(*others)


def _effect(
    name: tuple[str, str], again: list[Sample], firsts: Mapping[str, Sample], others: Collection[str], *, full: bool
) -> RecipeEffect:
    own = [firsts[sample.pairing_key] for sample in again]
    lengths = [(first.reference_tokens, sample.reference_tokens) for first, sample in zip(own, again, strict=True)]
    counted = [(before, after) for before, after in lengths if before is not None and after is not None]
    before, after = [pair[0] for pair in counted], [pair[1] for pair in counted]
    recovered = _recovered(again, firsts)
    return RecipeEffect(
        benchmark=name[0],
        recipe=name[1],
        asked=len(again),
        failed=sum(not first.is_correct for first in own),
        recovered=len(recovered),
        unique=len(recovered - set(others)),
        before=sum(before),
        after=sum(after),
        median_before=median(before) if before else 0,
        median_after=median(after) if after else 0,
        uncounted=len(again) - len(counted),
        truncated_before=sum(first.verdict == "truncated" for first in own),
        truncated_after=sum(sample.verdict == "truncated" for sample in again),
        recovered_interval=estimate_accuracy_by_program(
            (first.program, first.pairing_key in recovered) for first in own
        ).interval,
        paired=compare_pairs(map(_pair, own, again)) if full else None,
        drawn=repeated_answers(own) is not None,
    )


def _pair(first: Sample, again: Sample) -> AnswerPair:
    return AnswerPair(first.is_correct, again.is_correct, first.program)
