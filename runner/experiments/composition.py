"""String composition (the paper's section 3.2 and Table 1): what a model gets right alone, and nested 1 to 5 deep.

First each of the 25 functions is asked about alone, ten calls each. Functions with 90 % right or more are composed, 100
programs per depth. Two lines are compared with the accuracies:

- the ceiling: the share of reference traces that fit the token limit, which no model can exceed;
- independence: the accuracy if every call were as hard as alone and failed independently. It is the mean, over the
  programs, of the product of their functions' accuracies. These come from fresh calls: the calls that selected the
  functions are biased upwards (a function with a true accuracy of .90 reads as .947 once it is selected).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from statistics import fmean

from corpora import load
from corpora.benchmarks.composition import called_functions
from runner.experiments import AskModel, ExperimentOptions
from runner.experiments.accuracy_results import AccuracyPoint, AccuracyResults, ReferenceCurve, accuracy_point, by_kind
from runner.experiments.published import ATOMIC_NOTE, COMPOSED, COMPOSITION_NOTE, SELECTED
from runner.inputs.benchmarks import token_limit
from runner.records.samples import Sample
from runner.statistics.groups import grouped

SUMMARY = "string functions alone, then compositions of those that are right (paper, section 3.2)"
NEEDS = "nothing: the programs are drawn"
TAKES = ("size", "depth")
DEPTHS = (1, 2, 3, 4, 5)
SIZE = 100
ALONE = 10
"""Calls of each function alone, at most `--num-programs`."""
FRESH = 1_000_003
"""Added to the seed for the calls that were not used to select the functions."""


def conduct(ask: AskModel, options: ExperimentOptions) -> AccuracyResults:
    """A point per depth, the ceiling, the line of independent failures, and which functions were selected."""
    limit = token_limit("composition")
    size = SIZE if options.size is None else options.size
    alone = ask("atomic", list(load("atomic", size=min(ALONE, size), seed=options.seed)), limit)
    atomic = [accuracy_point("alone", name, group) for name, group in by_kind(alone).items()]
    kept = {str(one.x): one.accuracy / 100 for one in atomic if one.accuracy is not None and one.accuracy >= SELECTED}
    said = (*_selection(atomic, kept), ATOMIC_NOTE)
    if not kept:
        return AccuracyResults("string functions alone", "", tuple(atomic), sentences=said)
    fresh_calls = _fresh(ask, alone, kept, min(ALONE, size), options.seed, limit)
    again = [accuracy_point("alone, fresh calls", name, group) for name, group in fresh_calls.items()]
    fresh = {str(one.x): one.accuracy / 100 for one in again if one.accuracy is not None}
    if fresh:
        mean = f"{100 * fmean(fresh.values()):.1f} %"
        said = (*said, f"On fresh calls the selected functions are right in {mean} on average.")
    said = (*said, COMPOSITION_NOTE)
    depths = options.depths or DEPTHS
    pool = ",".join(kept)
    drawn = {depth: list(load("composition", pool=pool, depth=depth, size=size, seed=options.seed)) for depth in depths}
    samples = ask("composition", [case for cases in drawn.values() for case in cases], limit)
    nested = by_kind(samples)
    points = [accuracy_point("nested", depth, nested.get(f"string, depth {depth}", [])) for depth in depths]
    curves = [ReferenceCurve("ceiling: reference traces within the limit", _ceiling(points))]
    if fresh.keys() == kept.keys():
        line = (
            (depth, 100 * fmean(_independent_accuracy(case.source, fresh) for case in cases))
            for depth, cases in drawn.items()
        )
        curves.append(ReferenceCurve("independent failures (fresh calls alone)", tuple(line)))
    curves += COMPOSED.at(depths)
    beside = (*atomic, *again)
    return AccuracyResults("string composition", "depth", tuple(points), tuple(curves), said, table_points=beside)


def _ceiling(points: Sequence[AccuracyPoint]) -> tuple[tuple[str | int, float], ...]:
    return tuple((one.x, one.ceiling) for one in points if one.ceiling is not None)


def _fresh(
    ask: AskModel, selecting: Sequence[Sample], kept: Mapping[str, float], size: int, seed: int, limit: int
) -> dict[str, list[Sample]]:
    """Answers to other calls of the selected functions, by function, at most `size` for each."""
    seen = {(sample.source, sample.call) for sample in selecting}
    drawn = load("atomic", pool=",".join(kept), size=2 * size, seed=seed + FRESH)
    others = grouped((case for case in drawn if (case.source, case.call) not in seen), lambda case: case.kind)
    return by_kind(ask("atomic-fresh", [case for own in others.values() for case in own[:size]], limit))


def _independent_accuracy(source: str, accuracies: Mapping[str, float]) -> float:
    """The chance that all calls of a composition are right if they fail independently."""
    return prod(accuracies[name] for name in called_functions(source))


def _selection(atomic: Sequence[AccuracyPoint], kept: Mapping[str, float]) -> list[str]:
    mean = f", {100 * fmean(kept.values()):.1f} % on average" if kept else ""
    said = [f"{len(kept)} of {len(atomic)} functions are right in {SELECTED:g} % of their calls alone or more{mean}."]
    silent = [str(one.x) for one in atomic if not one.asked]
    if silent:
        said.append(f"These functions were not composed, since no call of them was answered: {', '.join(silent)}.")
    if not kept:
        said.append("There is nothing to compose; the table shows the functions alone.")
    return said
