"""Draws Figure 2: a panel per benchmark and run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from analyze.diagnosis.divergence import DIVERGENCE_KINDS
from runner.experiments.drawing import Drawing, error_bars, plain_label
from runner.experiments.figures.output_types import FailureTypes, TypeShare

_PANEL = (5.4, 3.2)
_HEAD = 0.9
_BAR = 0.36


def draw_types(found: Sequence[FailureTypes]) -> Drawing:
    """The upper part: the share of each type among all outputs, and among the wrong answers with its interval."""

    def panel(axes: Any, one: FailureTypes) -> None:
        rows, places = one.types, range(len(one.types))
        axes.bar([x - _BAR / 2 for x in places], [row.share for row in rows], _BAR, color="0.75", label="all outputs")
        wrong = [row.wrong_share or 0.0 for row in rows]
        right = [x + _BAR / 2 for x in places]
        errors = error_bars(wrong, [row.interval for row in rows])
        axes.bar(
            right,
            wrong,
            _BAR,
            yerr=errors,
            capsize=2,
            color="C0",
            label="wrong answers that were not truncated, with interval",
        )
        _published(axes, rows)
        axes.set_xticks(list(places), [plain_label(row.type) for row in rows], fontsize="small")
        axes.set(ylim=(0, 105), ylabel="%")
        axes.set_title(plain_label(_title(one)), fontsize="medium")

    return _panels("Figure 2, top: types of outputs", found, panel, lambda one: _PANEL[1])


def _published(axes: Any, rows: Sequence[TypeShare]) -> None:
    known = [(x, row.published) for x, row in enumerate(rows) if row.published]
    if known:
        axes.plot([x - _BAR / 2 for x, _ in known], [y[0] for _, y in known], "x", color="0.3", label="the paper: all")
        axes.plot([x + _BAR / 2 for x, _ in known], [y[1] for _, y in known], "x", color="C3", label="the paper: wrong")


def draw_divergences(found: Sequence[FailureTypes]) -> Drawing:
    """The lower part: failed answers by verdict and type, stacked by the kind of their first divergence."""
    occurring = {kind for one in found for _, counts in one.divergences for kind, _ in counts}

    def panel(axes: Any, one: FailureTypes) -> None:
        names = [f"{name}, {verdict}" for (verdict, name), _ in one.divergences]
        left = [0] * len(names)
        for number, kind in enumerate(DIVERGENCE_KINDS):
            if kind not in occurring:
                continue
            counts = [dict(own).get(kind, 0) for _, own in one.divergences]
            axes.barh(range(len(names)), counts, left=left, color=f"C{number}", label=kind)
            left = [start + count for start, count in zip(left, counts, strict=True)]
        axes.set_xlim(0, 1.05 * max(left))
        axes.set_yticks(range(len(names)), list(map(plain_label, names)))
        axes.invert_yaxis()
        axes.set_xlabel("failed answers")
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.set_title(plain_label(_title(one)), fontsize="medium")

    title = "Figure 2, bottom: first divergence of failed answers"
    return _panels(title, found, panel, lambda one: 1.0 + 0.26 * len(one.divergences))


def _title(one: FailureTypes) -> str:
    name = ", ".join(filter(None, (one.benchmark, one.run)))
    cut = f", {one.truncated} of them truncated" if one.truncated else ""
    return f"{name}: {one.outputs} outputs, {one.wrong + one.truncated} wrong{cut}"


def _panels(
    title: str,
    found: Sequence[FailureTypes],
    panel: Callable[[Any, FailureTypes], None],
    height: Callable[[FailureTypes], float],
) -> Drawing:
    """A row of panels per benchmark, a column per run; one legend for all."""
    benchmarks, runs = (
        list(dict.fromkeys(names)) for names in ([one.benchmark for one in found], [one.run for one in found])
    )
    heights = [max(height(one) for one in found if one.benchmark == name) for name in benchmarks]

    def draw(figure: Any) -> None:
        figure.suptitle(title)
        grid = figure.subplots(len(benchmarks), len(runs), squeeze=False, height_ratios=heights)
        entries: dict[str, Any] = {}
        for row, benchmark in zip(grid, benchmarks, strict=True):
            for axes, run in zip(row, runs, strict=True):
                one = next((one for one in found if (one.benchmark, one.run) == (benchmark, run)), None)
                if one is None:
                    axes.set_axis_off()
                    continue
                panel(axes, one)
                handles, labels = axes.get_legend_handles_labels()
                entries |= dict(zip(labels, handles, strict=True))
        figure.legend(
            entries.values(), entries.keys(), loc="outside lower center", ncols=4, fontsize="small", frameon=False
        )

    return Drawing((_PANEL[0] * max(len(runs), 1) + 1, sum(heights) + _HEAD), draw)
