"""Differences between the arms, with intervals over programs and seeds.

An effect is a weighted sum over programs of the paired difference of two answers, averaged over seeds. Its variance
has a component for the choice of programs and one for the choice of seeds. Their sum never understates the variance of
two-way clustering, which subtracts what both share (Cameron, Gelbach and Miller 2011, "Robust inference with
multiway clustering"). The interval uses Student's t with seeds - 1 degrees of freedom, so it is wide for few seeds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t  # type: ignore[import-untyped]

from runner.experiments.drawing import Drawing, error_bars, plain_label
from runner.statistics.intervals import PSEUDO

Verdict = Literal["holds", "does not hold", "undecided"]
MARGIN = 0.05
"""A claim "above zero" does not hold if the whole interval is below this share."""


@dataclass(frozen=True)
class Effect:
    """A difference of accuracies, or a difference of such differences.

    Attributes:
        name: What is compared.
        programs: The number of programs.
        estimate: The mean over seeds, -1 to 1 (for a difference of differences, -2 to 2).
        low: The lower end of the 95 % interval.
        high: The upper end.
    """

    name: str
    programs: int
    estimate: float
    low: float
    high: float

    @property
    def points(self) -> str:
        """The estimate and the interval in percentage points, as two cells of a table."""
        estimate, low, high = (f"{100 * value:+.1f}" for value in (self.estimate, self.low, self.high))
        return f"{estimate} | [{low}, {high}]"

    @property
    def verdict(self) -> Verdict:
        """Whether the claim "the estimate is above zero" holds.

        It holds if the interval is above 0, and does not hold if the interval is below `MARGIN`.
        """
        if self.low > 0:
            return "holds"
        return "does not hold" if self.high < MARGIN else "undecided"


def mean_effect(name: str, groups: Sequence[NDArray[np.float64]], signs: Sequence[int]) -> Effect:
    """The signed sum of the mean differences of some groups of programs.

    Args:
        name: What is compared.
        groups: For each group, an array [programs, seeds] of differences between two answers (-1, 0 or 1); two
            programs or more, two seeds or more.
        signs: 1 or -1 for each group: (1, -1) is the difference between two groups.

    >>> found = mean_effect("x", [np.array([[1, 1], [0, 0], [1, 1], [0, 0]], dtype=float)], [1])
    >>> found.estimate
    0.5
    """
    seeds = groups[0].shape[1]
    by_seed = sum(sign * group.mean(axis=0) for sign, group in zip(signs, groups, strict=True))
    by_seed = np.asarray(by_seed, dtype=float)
    over_seeds = float(by_seed.var(ddof=1)) / seeds
    over_programs = sum(map(_variance_over_programs, groups))
    half = float(t.ppf(0.975, seeds - 1)) * float(np.sqrt(over_seeds + over_programs))
    estimate = float(by_seed.mean())
    return Effect(name, sum(map(len, groups)), estimate, estimate - half, estimate + half)


def _variance_over_programs(group: NDArray[np.float64]) -> float:
    """The variance of the mean, with PSEUDO of a program at each extreme, so that equal differences have one, too."""
    means = group.mean(axis=1)
    count = len(means) + 2 * PSEUDO
    squares = float(((means - means.mean()) ** 2).sum()) + 2 * PSEUDO
    return squares / (count - 1) / count


def differences(
    before: Mapping[tuple[str, int], bool], after: Mapping[tuple[str, int], bool], pairs: Sequence[tuple[str, str]]
) -> NDArray[np.float64]:
    """The differences [programs, seeds] between two answers to each program.

    Args:
        before: Whether an answer is right, by program and seed.
        after: The same for the answers that are compared with them.
        pairs: For each row, the program in `before` and its partner in `after`.
    """
    seeds = sorted({seed for _, seed in before})
    rows = [[float(after[new, seed]) - float(before[old, seed]) for seed in seeds] for old, new in pairs]
    return np.array(rows, dtype=np.float64).reshape(len(pairs), len(seeds))


def effects_table(effects: Sequence[Effect]) -> str:
    """A Markdown table of claims: each says that its effect is above zero."""
    head = "| claim: above zero | programs | points | 95 % interval | verdict |\n|---|--:|--:|---|---|"
    return "\n".join([head, *(f"| {one.name} | {one.programs} | {one.points} | {one.verdict} |" for one in effects)])


def plot_effects(effects: Sequence[Effect]) -> str:
    """An SVG with a row for each claim: its effect and interval in points, and the line of no effect."""

    def draw(figure: Any) -> None:
        axes = figure.add_subplot()
        places = range(len(effects))
        points = [100 * one.estimate for one in effects]
        errors = error_bars(points, [(100 * one.low, 100 * one.high) for one in effects])
        axes.errorbar(points, places, xerr=errors, fmt="o", capsize=3)
        axes.axvline(0, color="gray", linewidth=1)
        axes.set_yticks(places, [plain_label(one.name) for one in effects], fontsize="small")
        axes.invert_yaxis()
        axes.set_xlabel("effect in points, with its 95 % interval")

    return Drawing((8, 0.8 + 0.3 * len(effects)), draw).svg()
