"""Draws exposure against cost, as a curve over the price of tokens, with the other recipes for comparison.

    python bench/exposure_curve.py docs/exposure.svg [--data DIR]

Prints the points as a Markdown table and draws them (extra `plot`), on the published failures. Horizontal axis: trace
tokens relative to the original (median). Vertical axis: the share of CWM's wrong steps whose line is exposed, with
Wilson's 95 % intervals. The risk of a CruxEval failure is predicted by weights that were fitted without it (ten folds).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import matplotlib
from matplotlib.figure import Figure

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import planned

from corpora.published_data import add_data_option
from rewrite.planner.fit import held_out_risk_weights
from rewrite.planner.weights import published
from runner.statistics.intervals import wilson

PRICES = (0.0, 0.005, 0.01, 0.02, 0.042, 0.1, 0.25)


class Point(NamedTuple):
    """One setting.

    Attributes:
        name: The recipe.
        price: `PlannerWeights.price` of a plan; None for the other recipes.
        cost: Median of trace tokens relative to the original.
        exposed: Number of wrong steps whose line is exposed.
        steps: Number of wrong steps.
    """

    name: str
    price: float | None
    cost: float
    exposed: int
    steps: int


def points(data: Path) -> Iterator[Point]:
    """The points. Each takes one pass over the failures."""
    programs, risk = planned.failures(data), held_out_risk_weights(data)
    settings: list[tuple[str, float | None]] = [("planned", price) for price in PRICES]
    settings += [(recipe, None) for recipe in planned.RECIPES if recipe != "planned"]
    with ProcessPoolExecutor(2) as pool:
        for name, price in settings:
            weights = published() if price is None else replace(published(), price=price)
            results = list(pool.map(partial(planned.measure, recipe=name, risk=risk, weights=weights), programs))
            found = planned.exposures(results)
            yield Point(name, price, median(planned.costs(results)), sum(found), len(found))


def draw(found: Sequence[Point], path: Path) -> None:
    """Write the figure as SVG. Equal points give equal bytes."""
    with matplotlib.rc_context({"svg.hashsalt": "spellout", "svg.fonttype": "none"}):
        figure = Figure(figsize=(7.0, 4.2), layout="constrained")
        axes = figure.add_subplot()
        plans = sorted((one for one in found if one.price is not None), key=lambda one: one.cost)
        _bars(axes, plans, "planned, by price of tokens", "o-")
        chosen = next(one for one in plans if one.price == published().price)
        axes.annotate("chosen", (chosen.cost, _share(chosen)), xytext=(6, -14), textcoords="offset points")
        for one in found:
            if one.price is None:
                _bars(axes, [one], one.name, "s")
        steps = max(one.steps for one in found)
        axes.set(xlabel="trace tokens relative to the original, median", ylim=(0, 103))
        axes.set_ylabel(f"wrong steps of CWM exposed (%, n={steps})")
        axes.set_xscale("log")
        axes.set_xticks(ticks := [1, 1.25, 1.5, 2, 3, 4], [f"{tick:g}" for tick in ticks])
        axes.set_xticks([], minor=True)
        axes.legend(fontsize="small", loc="lower right")
        figure.savefig(path, format="svg", metadata={"Date": None})


def _bars(axes: Any, found: Sequence[Point], label: str, style: str) -> None:
    shares = [_share(one) for one in found]
    bounds = [wilson(one.exposed, one.steps) for one in found]
    below = [share - 100 * low for share, (low, _) in zip(shares, bounds, strict=True)]
    above = [100 * high - share for share, (_, high) in zip(shares, bounds, strict=True)]
    costs = [one.cost for one in found]
    axes.errorbar(costs, shares, yerr=(below, above), fmt=style, capsize=2, elinewidth=0.7, label=label)


def _share(one: Point) -> float:
    return 100 * one.exposed / one.steps


def main() -> int:
    """Print the table and write the figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("picture", type=Path, metavar="FILE", help="the SVG file to write")
    add_data_option(parser)
    arguments = parser.parse_args()
    found = []
    print("| recipe | price | tokens, median | exposed |\n|---|--:|--:|--:|")
    for one in points(arguments.data):
        found.append(one)
        price = "" if one.price is None else f"{one.price:g}"
        exposed = f"{one.exposed} of {one.steps} ({_share(one):.0f}%)"
        print(f"| {one.name} | {price} | {one.cost:.2f} | {exposed} |", flush=True)
    draw(found, arguments.picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
