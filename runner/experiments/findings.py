"""The results of an experiment: points with confidence intervals, as a table, as CSV and as a plot.

The plot is an SVG by matplotlib (extra `plot`), the same bytes for the same results. Without matplotlib the table and
the CSV file are still written.
"""

from __future__ import annotations

import csv
import importlib
import importlib.util
import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from runner.records.samples import Sample
from runner.statistics.intervals import Interval, format_interval
from runner.statistics.repeated_answers import estimate_accuracy
from runner.terminal.tables import Cells

COLUMNS = ("", "asked", "correct", "incorrect", "truncated", "not asked", "reference fits")
_APART = 0.12
"""Horizontal distance of two series at one x, as a share of the distance of two x."""
_LABELS = 70
"""Characters of all tick labels that fit below the axis without rotation."""
CSV_COLUMNS = (
    "series",
    "x",
    "asked",
    "correct",
    "incorrect",
    "truncated",
    "not_asked",
    "fits",
    "accuracy",
    "low",
    "high",
    "programs",
)


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

    def at(self, places: Iterable[str | int]) -> ReferenceCurve | None:
        """The values at these x alone; None if there are none."""
        chosen = set(places)
        values = tuple((x, y) for x, y in self.values if x in chosen)
        return ReferenceCurve(self.series, values) if values else None


@dataclass(frozen=True)
class Findings:
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


def rows(findings: Findings) -> list[Cells]:
    """The rows of the table, in the order of `COLUMNS`; with several series, each has a heading."""
    found: list[Cells] = []
    several = len({one.series for one in findings.all_points}) > 1
    for series in dict.fromkeys(one.series for one in findings.all_points):
        own = [one for one in findings.all_points if one.series == series]
        if several and len(own) > 1:
            found.append((series, *[""] * (len(COLUMNS) - 1)))
        found += [_row(one, findings.x, alone=several and len(own) == 1) for one in own]
    return found


def _row(one: AccuracyPoint, x: str, *, alone: bool) -> Cells:
    name = f"{x} {one.x}".strip() if isinstance(one.x, int) else one.x
    right = "—" if one.accuracy is None else f"{one.accuracy:.1f}%{format_interval(one.interval, 0)}"
    counts = (str(count) for count in (one.incorrect, one.truncated, one.not_asked))
    if alone:
        name = one.series if isinstance(one.x, int) or one.x in one.series else f"{one.series}, {name}"
    fits = "—" if one.ceiling is None else f"{one.ceiling:.0f}%"
    return (name if alone else f"  {name}", str(one.asked), right, *counts, fits)


def as_csv(findings: Findings) -> str:
    """The points, then the curves with empty counts."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for one in findings.all_points:
        low, high = one.interval or ("", "")
        counts = (one.asked, one.correct, one.incorrect, one.truncated, one.not_asked, one.fits)
        writer.writerow((one.series, one.x, *counts, *map(_rounded, (one.accuracy, low, high)), one.programs))
    for curve in (*findings.curves, *findings.differences):
        writer.writerows((curve.series, x, *[""] * 6, _rounded(y), *[""] * 3) for x, y in curve.values)
    return file.getvalue()


def _rounded(value: float | str | None) -> float | str:
    return "" if value is None or isinstance(value, str) else round(value, 4)


def describe_curves(findings: Findings) -> Iterator[str]:
    """A sentence per curve with its reference values."""
    for curve in findings.curves:
        yield f"{curve.series}: {'; '.join(f'{x}: {y:.1f} %' for x, y in curve.values)}."


def can_plot() -> bool:
    """Whether matplotlib is installed."""
    return importlib.util.find_spec("matplotlib") is not None


def plot(findings: Findings, model: str = "") -> str:
    """The plot as SVG: accuracy against x, intervals as bars, sample sizes, and the model's name in the title."""

    def draw(figure: Any, axes: Any) -> None:
        places = _places(findings)
        shown = list(_by_series(findings.points))
        for number, (series, own) in enumerate(shown):
            aside = _APART * (number - (len(shown) - 1) / 2)
            _draw(axes, series, own, {x: place + aside for x, place in places.items()}, joined=_numbers(places))
        for curve in findings.curves:
            across = [places[x] for x, _ in curve.values]
            style = "x--" if _numbers(places) else "x"
            axes.plot(across, [y for _, y in curve.values], style, alpha=0.7, label=_plain(curve.series))
        axes.set_xlim(-0.5, len(places) - 0.5)  # a single x does not fill the width
        axes.set(xticks=list(places.values()), xlabel=_plain(findings.x), ylabel="accuracy (%)", ylim=(-3, 103))
        labels = _tick_labels(findings, places)
        short = sum(max(map(len, label.splitlines())) + 2 for label in labels) < _LABELS
        axes.set_xticklabels(labels, rotation=0 if short else 40, ha="center" if short else "right")
        axes.set_title(_plain(f"{findings.title} ({model})" if model else findings.title), fontsize="medium", wrap=True)
        if shown or findings.curves:  # below the axes: hides no point
            figure.legend(loc="outside lower center", ncols=1, fontsize="small", frameon=False)

    return draw_svg((6.4, 4.4), draw)


def draw_svg(size: tuple[float, float], draw: Callable[[Any, Any], None]) -> str:
    """An SVG by matplotlib, the same bytes for the same drawing.

    Args:
        size: width and height in inches.
        draw: draws on a figure and its axes.
    """
    matplotlib: Any = importlib.import_module("matplotlib")
    figure_module: Any = importlib.import_module("matplotlib.figure")
    with matplotlib.rc_context({"svg.hashsalt": "spellout", "svg.fonttype": "none"}):
        figure = figure_module.Figure(figsize=size, layout="constrained")
        draw(figure, figure.add_subplot())
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def _tick_labels(findings: Findings, places: Iterable[str | int]) -> list[str]:
    """The label of each x, with the number of samples if it differs between x."""
    labels = []
    several = any(len(_sizes(own)) > 1 for _, own in _by_series(findings.points))
    for x in places:
        sizes = {one.asked for one in findings.points if one.x == x and one.asked}
        labels.append(_plain(str(x)) + (f"\nn={'/'.join(map(str, sorted(sizes)))}" if several and sizes else ""))
    return labels


def _places(findings: Findings) -> dict[str | int, int]:
    """The position of each x: numbers in order at equal distances, as in the paper's figures; names as given."""
    every = [one.x for one in findings.points] + [x for curve in findings.curves for x, _ in curve.values]
    known = list(dict.fromkeys(every))
    if _numbers(known):
        known.sort()
    return {x: place for place, x in enumerate(known)}


def _numbers(places: Iterable[str | int]) -> bool:
    """Whether all x are numbers; points at names are not joined by lines."""
    return all(isinstance(x, int) for x in places)


def _by_series(points: Sequence[AccuracyPoint]) -> Iterator[tuple[str, list[AccuracyPoint]]]:
    for series in dict.fromkeys(one.series for one in points):
        own = [one for one in points if one.series == series and one.asked]
        if own:
            yield series, own


def _draw(
    axes: Any, series: str, own: Sequence[AccuracyPoint], places: dict[str | int, float], *, joined: bool
) -> None:
    accuracies = [one.accuracy or 0.0 for one in own]
    low, high = zip(*[one.interval or (y, y) for one, y in zip(own, accuracies, strict=True)], strict=True)
    errors = (
        [max(0.0, y - bound) for y, bound in zip(accuracies, low, strict=True)],
        [max(0.0, bound - y) for y, bound in zip(accuracies, high, strict=True)],
    )
    across = [places[one.x] for one in own]
    style = "o-" if joined else "o"
    axes.errorbar(across, accuracies, yerr=errors, fmt=style, capsize=3, label=f"{_plain(series)} ({_of(own)})")


def _of(own: Sequence[AccuracyPoint]) -> str:
    counts = _sizes(own)
    size = str(counts[0]) if len(counts) == 1 else f"{counts[0]}–{counts[-1]}"
    unasked = sum(one.not_asked for one in own)
    return f"n={size}{f'; {unasked} not asked' if unasked else ''}"


def _sizes(own: Sequence[AccuracyPoint]) -> list[int]:
    return sorted({one.asked for one in own})


def _plain(text: str) -> str:
    """A string that matplotlib does not parse as a formula."""
    return text.replace("$", r"\$")
