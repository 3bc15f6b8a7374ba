"""95 % confidence intervals of an accuracy and of a paired difference, clustered by program.

Samples of one program are not independent: five calls of one function succeed or fail together. So the unit is the
program, given by its sum and its number of samples. The variance is that of a ratio estimate over clusters
(Cochran 1977, 11.2), the quantile is Student's with one degree of freedom less than programs. An accuracy has Wilson's
interval with the effective sample size (Dean and Pagano 2015). If every program has one sample, this is Wilson's
interval (1927). With fewer than ten programs of several samples there is no interval: none keeps its nominal coverage.

`bench/interval_coverage.py` simulates the coverage. `runner.statistics.paired` has the test for pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt

import scipy  # type: ignore[import-untyped]  # loads scipy.stats at the first use, half a second

FEWEST_PROGRAMS = 10
TOO_FEW = "too few programs"
PSEUDO = 0.1
"""Fraction of a program that is added at either extreme before the variance is estimated, since few or no failures do
not mean that there is no variance. Chosen by simulated coverage (`bench/interval_coverage.py`)."""

Interval = tuple[float, float]


def wilson(right: int, count: int) -> Interval:
    """Wilson's 95 % interval (1927) for the share behind `right` of `count` independent samples, from 0 to 1.

    Args:
        right: how many samples are right.
        count: how many there are, above 0.

    >>> low, high = wilson(9, 10)
    >>> round(low, 3), round(high, 3)
    (0.596, 0.982)
    """
    interval = scipy.stats.binomtest(right, count).proportion_ci(0.95, method="wilson")
    return float(interval.low), float(interval.high)


def accuracy_interval(right: Sequence[float], counts: Sequence[int]) -> Interval | None:
    """The interval of the accuracy sum(right) / sum(counts), clustered by program.

    Args:
        right: by program, how many of its samples are right; a fraction where a sample is a share of answers.
        counts: by program, how many samples it has, above 0.

    Returns:
        Bounds from 0 to 1; None with fewer than ten programs, unless each has one sample that is right or wrong.

    >>> accuracy_interval([1, 0], [1, 1]) == wilson(1, 2)
    True
    >>> accuracy_interval([5, 0], [5, 5]) is None
    True
    """
    total, samples = fsum(right), sum(counts)
    if counts and all(count == 1 for count in counts) and all(one in (0, 1) for one in right):
        return wilson(round(total), samples)
    if len(counts) < FEWEST_PROGRAMS:
        return None
    share = total / samples
    center, variance = _variance(right, counts, lowest=0)
    effective = center * (1 - center) / variance / (1 + 2 * PSEUDO / len(counts))
    z = float(scipy.stats.t.ppf(0.975, len(counts) - 1))
    middle = (share + z * z / (2 * effective)) / (1 + z * z / effective)
    half = z / (1 + z * z / effective) * sqrt(share * (1 - share) / effective + z * z / (4 * effective**2))
    return max(0.0, middle - half), min(1.0, middle + half)


def difference_interval(sums: Sequence[float], counts: Sequence[int]) -> Interval | None:
    """The interval of the paired difference sum(sums) / sum(counts), clustered by program.

    Args:
        sums: by program, what its samples gained less what they lost.
        counts: by program, how many samples it has, above 0.

    Returns:
        Bounds from -1 to 1; None with fewer than ten programs.
    """
    if len(counts) < FEWEST_PROGRAMS:
        return None
    center, variance = _variance(sums, counts, lowest=-1)
    half = float(scipy.stats.t.ppf(0.975, len(counts) - 1)) * sqrt(variance)
    return max(-1.0, center - half), min(1.0, center + half)


def _variance(sums: Sequence[float], counts: Sequence[int], *, lowest: float) -> Interval:
    """A mean over samples and its variance over programs, with PSEUDO of a program at `lowest` and as much at 1.

    The sums are exact (`math.fsum`), so the order of the programs changes nothing.
    """
    size = sum(counts) / len(counts)
    programs, samples = len(counts) + 2 * PSEUDO, sum(counts) + 2 * PSEUDO * size
    mean = (fsum(sums) + PSEUDO * size * (1 + lowest)) / samples
    squares = fsum((total - mean * count) ** 2 for total, count in zip(sums, counts, strict=True))
    squares += PSEUDO * size**2 * ((1 - mean) ** 2 + (lowest - mean) ** 2)
    return mean, programs / (programs - 1) * squares / samples**2


def interval_in_percent(interval: Interval | None) -> Interval | None:
    """Converts bounds from shares to percent."""
    return interval and (100 * interval[0], 100 * interval[1])


def format_interval(interval: Interval | None, digits: int = 1) -> str:
    """Formats an interval in percent for display after a figure, or the reason why there is none.

    >>> format_interval((81.25, 90.0)), format_interval(None)
    (' (81.2–90.0)', ' (too few programs)')
    """
    return f" ({TOO_FEW})" if interval is None else f" ({interval[0]:.{digits}f}–{interval[1]:.{digits}f})"
