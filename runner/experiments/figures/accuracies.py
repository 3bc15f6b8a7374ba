"""Table 1, Figure 1 and Figure 5 of runs, as points with intervals, and the published values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from runner.experiments.accuracy_results import AccuracyPoint, AccuracyResults, ReferenceCurve, accuracy_point, by_kind
from runner.experiments.published import CRUXEVAL, FORCED_ACTIONS, HUMANEVAL, PERMUTATIONS, SELECTED
from runner.experiments.table1 import before_and_after, by_row, published
from runner.records.samples import Sample
from runner.reports.mode_report import NAMES
from runner.statistics.mode_counts import run_mode
from runner.statistics.repeated_answers import estimate_accuracy_by_program

Runs = Mapping[str, Sequence[Sample]]
"""The samples of each run, by its name."""
_STEPS = re.compile(r"(S\d+), length (\d+)")


def table_one(runs: Runs) -> AccuracyResults | None:
    """Table 1: a point per benchmark, before and after rewriting, and the gain in points in the CSV file.

    Permutations and functions alone are in figures of their own. None without other samples.
    """
    points: list[AccuracyPoint] = []
    gains: list[ReferenceCurve] = []
    for name, samples in runs.items():
        rows = by_row(sample for sample in samples if sample.benchmark not in ("atomic", "permutations"))
        whose = f"{name}, " if len(runs) > 1 else ""
        ordered = {row: rows[row] for row in sorted(rows, key=_place)}
        before, after = before_and_after(ordered, whose)
        first = {one.x: one.accuracy or 0.0 for one in before}
        points += [*before, *after]
        gain = tuple((one.x, one.accuracy - first[one.x]) for one in after if one.accuracy is not None)
        gains.append(ReferenceCurve(f"{whose}gain, in points", gain))
    curves = published(list(dict.fromkeys(str(one.x) for one in points)))
    return AccuracyResults("Table 1", "", tuple(points), curves, differences=tuple(gains)) if points else None


def _place(row: str) -> int:
    """The place of a row in the paper's table; rows of our own come last."""
    prefixes = (CRUXEVAL, HUMANEVAL, "zoo, ", "strings, ")
    return next((place for place, prefix in enumerate(prefixes) if row.startswith(prefix)), len(prefixes))


def figure_one(runs: Runs) -> AccuracyResults | None:
    """Figure 1: accuracy on permutations by steps, a series per run and group; None without such samples."""
    points = []
    for name, samples in runs.items():
        kinds = by_kind(samples)
        steps = {(found[1], int(found[2])): own for kind, own in kinds.items() if (found := _STEPS.fullmatch(kind))}
        series = f"{name}, {NAMES[run_mode(samples)]}" if len(runs) > 1 else NAMES[run_mode(samples)]
        several = len({group for group, _ in steps}) > 1
        for group, length in sorted(steps):
            whose = f"{series}, {group}" if several else series
            points.append(accuracy_point(whose, length, steps[group, length]))
    places = sorted({one.x for one in points if isinstance(one.x, int)})
    curves = (*PERMUTATIONS.at(places), *FORCED_ACTIONS.at(places))
    return AccuracyResults("Figure 1: permutation tracking", "steps", tuple(points), curves) if points else None


def figure_five(runs: Runs) -> AccuracyResults | None:
    """Figure 5: accuracy of string functions called alone, sorted by the first run; None without such samples."""
    points = []
    for name, samples in runs.items():
        alone = by_kind(sample for sample in samples if sample.benchmark == "atomic")
        series = name if len(runs) > 1 else "alone"
        points += sorted(
            (_point_by_call(series, kind, own) for kind, own in alone.items()),
            key=lambda one: (-(one.accuracy or 0.0), str(one.x)),
        )
    kinds = dict.fromkeys(str(one.x) for one in points)
    line = ReferenceCurve(f"the paper: composed from {SELECTED:g} % on", tuple((kind, SELECTED) for kind in kinds))
    return AccuracyResults("Figure 5: string functions alone", "", tuple(points), (line,)) if points else None


def _point_by_call(series: str, kind: str, samples: Sequence[Sample]) -> AccuracyPoint:
    """A point with an interval over calls: they are drawn at random, and the point is about one function alone."""
    answers = [(one.call, one.is_correct) for one in samples if one.asked]
    return replace(accuracy_point(series, kind, samples), interval=estimate_accuracy_by_program(answers).interval)
