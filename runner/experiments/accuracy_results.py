"""The results of an experiment: points with confidence intervals, as a table, as CSV and as a plot.

The plot needs matplotlib (`runner.experiments.drawing`). The table and the CSV file do not.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from runner.experiments.drawing import Drawing, error_bars, plain_label
from runner.records.samples import Sample, originals
from runner.statistics.groups import grouped
from runner.statistics.intervals import Interval, format_interval
from runner.statistics.repeated_answers import estimate_accuracy
from runner.terminal.tables import Cells

COLUMNS = ("", "asked", "correct", "incorrect", "truncated", "not asked", "reference fits")
_APART = 0.12
"""Horizontal distance of two series at one x, as a share of the distance of two x."""
_ROW = 0.3
"""Height of a row of points at a name, in inches."""
_LEGEND_ROW = 0.18
CSV_HEADER = "series,x,asked,correct,incorrect,truncated,not_asked,fits,accuracy,low,high,programs"


@dataclass(frozen=True)
class AccuracyPoint:
    """The verdicts of some samples. If several answers were sampled for a sample, each is counted.

    Attributes:
        series: name of the series that the point belongs to.
        x: a number or a name.
        correct: right answers.
        incorrect: wrong answers.
        truncated: answers cut off before they gave a result.
        not_asked: samples without an answer.
        programs: programs that the answers are about.
        interval: of the accuracy, 95 %, in percent, clustered by program; None with too few programs.
        fits: answers whose reference trace has no more tokens than the limit: the most that a perfect model gets right.
    """

    series: str
    x: str | int
    correct: int
    incorrect: int
    truncated: int
    not_asked: int
    programs: int = 0
    interval: Interval | None = None
    fits: int = 0

    @property
    def asked(self) -> int:
        """Samples with an answer."""
        return self.correct + self.incorrect + self.truncated

    @property
    def accuracy(self) -> float | None:
        """In percent; None if nothing was asked."""
        return 100 * self.correct / self.asked if self.asked else None

    @property
    def ceiling(self) -> float | None:
        """The share of reference traces that fit the limit, in percent; None if nothing was asked."""
        return 100 * self.fits / self.asked if self.asked else None


@dataclass(frozen=True)
class ReferenceCurve:
    """Reference values that the points are compared with: published ones, a limit, a prediction.

    Attributes:
        series: name of the values.
        values: pairs of x and percent.
    """

    series: str
    values: tuple[tuple[str | int, float], ...]

    def at(self, places: Iterable[str | int]) -> tuple[ReferenceCurve, ...]:
        """The curve with the values at these x alone; no curve if there are none."""
        chosen = set(places)
        values = tuple((x, y) for x, y in self.values if x in chosen)
        return (ReferenceCurve(self.series, values),) if values else ()


@dataclass(frozen=True)
class AccuracyResults:
    """The results of one experiment.

    Attributes:
        title: of the table and the plot.
        x: name of the x axis.
        points: in the table, the CSV file and the plot.
        curves: reference values in the plot and the CSV file.
        sentences: notes below the table.
        table_points: points in the table and the CSV file, not in the plot.
        differences: differences of accuracies in points, in the CSV file alone.
    """

    title: str
    x: str
    points: tuple[AccuracyPoint, ...]
    curves: tuple[ReferenceCurve, ...] = ()
    sentences: tuple[str, ...] = ()
    table_points: tuple[AccuracyPoint, ...] = ()
    differences: tuple[ReferenceCurve, ...] = ()

    @property
    def all_points(self) -> tuple[AccuracyPoint, ...]:
        """All points, those of the plot first."""
        return (*self.points, *self.table_points)


def accuracy_point(series: str, x: str | int, samples: Iterable[Sample]) -> AccuracyPoint:
    """A point from samples, counted by verdict."""
    every = list(samples)
    counts = Counter(sample.verdict for sample in every)
    asked = [sample for sample in every if sample.asked]
    found = estimate_accuracy(asked)
    right, wrong, cut, unasked = (counts[verdict] for verdict in ("correct", "incorrect", "truncated", "not asked"))
    fits = sum(one.reference_tokens is not None and one.reference_tokens <= one.max_tokens for one in asked)
    return AccuracyPoint(series, x, right, wrong, cut, unasked, found.programs, found.interval, fits)


def by_kind(samples: Iterable[Sample]) -> dict[str, list[Sample]]:
    """The attempts at original programs by the kind of the program."""
    return grouped(originals(samples), lambda sample: sample.kind)


def rows(results: AccuracyResults) -> list[Cells]:
    """The rows of the table, in the order of `COLUMNS`; with several series, each has a heading."""
    found: list[Cells] = []
    groups = grouped(results.all_points, lambda one: one.series)
    for series, own in groups.items():
        if len(groups) > 1 and len(own) > 1:
            found.append((series, *[""] * (len(COLUMNS) - 1)))
        found += [_row(one, results.x, alone=len(groups) > 1 and len(own) == 1) for one in own]
    return found


def _row(one: AccuracyPoint, x: str, *, alone: bool) -> Cells:
    name = f"{x} {one.x}".strip() if isinstance(one.x, int) else one.x
    right = "—" if one.accuracy is None else f"{one.accuracy:.1f}%{format_interval(one.interval, 0)}"
    counts = (str(count) for count in (one.incorrect, one.truncated, one.not_asked))
    if alone:
        name = one.series if isinstance(one.x, int) or one.x in one.series else f"{one.series}, {name}"
    fits = "—" if one.ceiling is None else f"{one.ceiling:.0f}%"
    return (name if alone else f"  {name}", str(one.asked), right, *counts, fits)


def as_csv(results: AccuracyResults) -> str:
    """The points, then the curves with empty counts."""
    lines: list[tuple[object, ...]] = []
    for one in results.all_points:
        counts = (one.asked, one.correct, one.incorrect, one.truncated, one.not_asked, one.fits)
        shares = map(rounded, (one.accuracy, *(one.interval or (None, None))))
        lines.append((one.series, one.x, *counts, *shares, one.programs))
    for curve in (*results.curves, *results.differences):
        lines += [(curve.series, x, *[""] * 6, rounded(y), *[""] * 3) for x, y in curve.values]
    return csv_text(CSV_HEADER, lines)


def csv_text(header: str, rows: Iterable[Sequence[object]]) -> str:
    """A CSV file with this first line."""
    file = io.StringIO()
    file.write(header + "\n")
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()


def rounded(value: float | None) -> float | str:
    """The cell of a number; empty without one."""
    return "" if value is None else round(value, 4)


def describe_curves(results: AccuracyResults) -> Iterator[str]:
    """A sentence per curve with its reference values."""
    for curve in results.curves:
        yield f"{curve.series}: {'; '.join(f'{x}: {y:.1f} %' for x, y in curve.values)}."


def plot(results: AccuracyResults, model: str = "") -> Drawing:
    """The plot: accuracies with intervals as bars, sample sizes, and the model's name in the title.

    Accuracies at numbers are joined by lines, from left to right. Accuracies at names are in rows, like the table.
    """
    places = _places(results)
    shown = _by_series(results.points)
    joined = _numbers(places)
    legend = _LEGEND_ROW * (len(shown) + len(results.curves))

    def draw(figure: Any) -> None:
        axes = figure.add_subplot()
        for number, (series, own) in enumerate(shown.items()):
            aside = _APART * (number - (len(shown) - 1) / 2)
            _draw_points(axes, series, own, {x: place + aside for x, place in places.items()}, joined=joined)
        for curve in results.curves:
            _draw_curve(axes, curve, places, joined=joined)
        (_label_columns if joined else _label_rows)(axes, results, places)
        axes.set_title(
            plain_label(f"{results.title} ({model})" if model else results.title), fontsize="medium", wrap=True
        )
        if shown or results.curves:  # below the axes: hides no point
            figure.legend(loc="outside lower center", ncols=1, fontsize="small", frameon=False)

    return Drawing((6.4, 4.4 if joined else 1.1 + _ROW * len(places) + legend), draw)


def _label_columns(axes: Any, results: AccuracyResults, places: dict[str | int, int]) -> None:
    axes.set_xlim(-0.5, len(places) - 0.5)  # a single x does not fill the width
    axes.set(xticks=list(places.values()), xlabel=plain_label(results.x), ylabel="accuracy (%)", ylim=(-3, 103))
    axes.set_xticklabels(_tick_labels(results, places, "\n"))


def _label_rows(axes: Any, results: AccuracyResults, places: dict[str | int, int]) -> None:
    axes.set_ylim(len(places) - 0.5, -0.5)  # from top to bottom
    axes.set(yticks=list(places.values()), ylabel=plain_label(results.x), xlabel="accuracy (%)", xlim=(-3, 103))
    axes.set_yticklabels(_tick_labels(results, places, "  "))
    axes.grid(axis="y", alpha=0.3)


def _tick_labels(results: AccuracyResults, places: Iterable[str | int], separator: str) -> list[str]:
    """The label of each value of x, with the number of samples if that differs between the values."""
    labels = []
    several = any(len(_sizes(own)) > 1 for own in _by_series(results.points).values())
    for x in places:
        sizes = {one.asked for one in results.points if one.x == x and one.asked}
        size = f"{separator}n={'/'.join(map(str, sorted(sizes)))}" if several and sizes else ""
        labels.append(plain_label(str(x)) + size)
    return labels


def _places(results: AccuracyResults) -> dict[str | int, int]:
    """The position of each x: numbers in order at equal distances, as in the paper's figures; names as given."""
    every = [one.x for one in results.points] + [x for curve in results.curves for x, _ in curve.values]
    known = list(dict.fromkeys(every))
    if _numbers(known):
        known.sort()
    return {x: place for place, x in enumerate(known)}


def _numbers(places: Iterable[str | int]) -> bool:
    """Whether all x are numbers; points at names are not joined by lines."""
    return all(isinstance(x, int) for x in places)


def _by_series(points: Sequence[AccuracyPoint]) -> dict[str, list[AccuracyPoint]]:
    return grouped((one for one in points if one.asked), lambda one: one.series)


def _draw_points(
    axes: Any, series: str, own: Sequence[AccuracyPoint], places: dict[str | int, float], *, joined: bool
) -> None:
    accuracies = [one.accuracy or 0.0 for one in own]
    errors = error_bars(accuracies, [one.interval for one in own])
    at = [places[one.x] for one in own]
    label = f"{plain_label(series)} ({_of(own)})"
    if joined:
        axes.errorbar(at, accuracies, yerr=errors, fmt="o-", capsize=3, label=label)
    else:
        axes.errorbar(accuracies, at, xerr=errors, fmt="o", markersize=4, capsize=2, label=label)


def _draw_curve(axes: Any, curve: ReferenceCurve, places: dict[str | int, int], *, joined: bool) -> None:
    """Draws reference values as crosses, which points do not hide; one value for all rows is a line."""
    at, values = [places[x] for x, _ in curve.values], [y for _, y in curve.values]
    label = plain_label(curve.series)
    if joined:
        axes.plot(at, values, "x--", markersize=9, zorder=3, label=label)
    elif len(at) == len(places) > 1 and len(set(values)) == 1:
        axes.axvline(values[0], color="gray", linestyle="--", label=label)
    else:
        axes.plot(values, at, "x", markersize=7, zorder=3, label=label)


def _of(own: Sequence[AccuracyPoint]) -> str:
    counts = _sizes(own)
    size = str(counts[0]) if len(counts) == 1 else f"{counts[0]}–{counts[-1]}"
    unasked = sum(one.not_asked for one in own)
    return f"n={size}{f'; {unasked} not asked' if unasked else ''}"


def _sizes(own: Sequence[AccuracyPoint]) -> list[int]:
    return sorted({one.asked for one in own})
