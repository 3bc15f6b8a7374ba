"""Arms that are judged against the placebo: what the experiment and the test of repairs share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from lab.evidence.rewrite_effects import holm
from lab.pocket.gate import Answers
from runner.records.samples import Sample, originals
from runner.statistics.intervals import FEWEST_PROGRAMS
from runner.statistics.paired import PairedComparison, compare_pairs, format_p

ALL = "all"
LEVEL = 0.05
TEMPERATURE = 0.7
"""Of the sampled answers to unchanged programs."""
UNDECIDED = "undecided"
NO_PAIRS = compare_pairs([])


@dataclass(frozen=True)
class JudgedArm:
    """What an arm does to the answers of a population.

    Attributes:
        population: its name, or "all".
        arm: the recipe or control.
        own: the answers to the unchanged programs and the arm's.
        placebo: the placebo's answers and the arm's.
        redraw: the sampled answers to the unchanged programs and the arm's.
        p: of `placebo`, corrected for the number of recipes (Holm 1979); None if `arm` is not judged.
        verdict: by the rule of the page.
    """

    population: str
    arm: str
    own: PairedComparison
    placebo: PairedComparison = NO_PAIRS
    redraw: PairedComparison = NO_PAIRS
    p: float | None = None
    verdict: str = UNDECIDED


def with_all(runs: Answers) -> dict[str, Sequence[Sample]]:
    """The records of all populations together, and of each that has enough programs for an interval."""
    every = [replace(sample, benchmark=ALL) for samples in runs.values() for sample in samples]
    programs = {name: {one.program for one in originals(found)} for name, found in runs.items()}
    return {ALL: every, **{name: runs[name] for name, found in programs.items() if len(found) >= FEWEST_PROGRAMS}}


def judge_arms(arms: Iterable[JudgedArm], recipes: Collection[str], more: str, less: str) -> Iterator[JudgedArm]:
    """The arms of one population that have answers, with p-values and verdicts of the recipes.

    Args:
        arms: all arms of the population.
        recipes: those that are judged.
        more: the verdict if more is right than after the placebo.
        less: the verdict if less is.
    """
    asked = [one for one in arms if one.own.samples]
    tested = {one.arm: p for one in asked if one.arm in recipes and (p := one.placebo.p) is not None}
    corrected = dict(zip(tested, holm(list(tested.values())), strict=True))
    for one in asked:
        p = corrected.get(one.arm)
        found = more if one.placebo.difference > 0 else less
        yield replace(one, p=p, verdict=UNDECIDED if p is None or p >= LEVEL else found)


def verdicts(found: Iterable[JudgedArm]) -> Iterator[str]:
    """A sentence for each arm that is judged."""
    for one in found:
        if one.p is not None:
            yield f"{one.population}: {one.arm}: {one.verdict} (against the placebo, corrected {format_p(one.p)})."
