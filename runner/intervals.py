"""How sure a share is: the interval that a count of right answers leaves open."""

from __future__ import annotations

from scipy.stats import binomtest  # type: ignore[import-untyped]


def wilson(right: int, count: int) -> tuple[float, float]:
    """Wilson's 95 % interval (1927) for the share behind `right` of `count`, as shares from 0 to 1; count > 0.

    >>> low, high = wilson(9, 10)
    >>> round(low, 3), round(high, 3)
    (0.596, 0.982)
    """
    interval = binomtest(right, count).proportion_ci(0.95, method="wilson")
    return float(interval.low), float(interval.high)


def percent(right: int, count: int) -> str:
    """A share with its interval; a dash where nothing was counted.

    >>> percent(9, 10)
    '90 % (60–98)'
    """
    if not count:
        return "—"
    low, high = (round(100 * bound) for bound in wilson(right, count))
    return f"{100 * right / count:.0f} % ({low}–{high})"
