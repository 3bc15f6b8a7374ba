"""How sure a share is: Wilson's interval, and one for samples that come in groups.

Samples of one program are not independent: five calls of one function fall or stand together. Where programs are asked
about more than once, `clustered` draws programs instead of samples. SciPy computes both. Pairs are `runner.paired`'s.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest, bootstrap  # type: ignore[import-untyped]

RESAMPLES = 9_999
SEED = 0
_CELLS = 2_000_000  # numbers that a batch of resamples holds at once: 16 MB

Interval = tuple[float, float]


def wilson(right: int, count: int) -> Interval:
    """Wilson's 95 % interval (1927) for the share behind `right` of `count`, as shares from 0 to 1; count > 0.

    >>> low, high = wilson(9, 10)
    >>> round(low, 3), round(high, 3)
    (0.596, 0.982)
    """
    interval = binomtest(right, count).proportion_ci(0.95, method="wilson")
    return float(interval.low), float(interval.high)


def wilson_percent(right: int, count: int) -> Interval | None:
    """The same in percent; None where nothing was counted."""
    if not count:
        return None
    low, high = wilson(right, count)
    return 100 * low, 100 * high


def clustered(sums: Sequence[float], counts: Sequence[int]) -> Interval | None:
    """A 95 % interval for sum(sums) / sum(counts) where each pair is what one group sums to, and of how many.

    The percentile bootstrap over whole groups (Davison and Hinkley 1997, 3.8), with 9,999 resamples and a fixed seed.
    None where it says nothing: fewer than two groups, or all of them with the same share.

    >>> clustered([5, 0], [5, 5])
    (0.0, 1.0)
    """
    shares = {total / count for total, count in zip(sums, counts, strict=True)}
    if len(counts) < 2 or len(shares) < 2:
        return None
    found = bootstrap(
        (np.asarray(sums, dtype=float), np.asarray(counts, dtype=float)),
        _share,
        paired=True,
        vectorized=True,
        n_resamples=RESAMPLES,
        batch=max(1, _CELLS // len(counts)),
        method="percentile",
        rng=np.random.default_rng(SEED),
    ).confidence_interval
    return float(found.low), float(found.high)


def _share(sums: NDArray[np.float64], counts: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    share: NDArray[np.float64] = sums.sum(axis=axis) / counts.sum(axis=axis)
    return share


def bounds(interval: Interval | None, digits: int = 1) -> str:
    """An interval in percent as it stands behind a figure, or nothing.

    >>> bounds((81.25, 90.0))
    ' (81.2–90.0)'
    """
    return "" if interval is None else f" ({interval[0]:.{digits}f}–{interval[1]:.{digits}f})"


def percent(right: int, count: int) -> str:
    """A share with its interval; a dash where nothing was counted.

    >>> percent(9, 10)
    '90 % (60–98)'
    """
    if not count:
        return "—"
    low, high = (round(100 * bound) for bound in wilson(right, count))
    return f"{100 * right / count:.0f} % ({low}–{high})"
