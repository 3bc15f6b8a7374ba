"""Least squares with two fixed effects, by projection; standard errors clustered."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Groups = NDArray[np.intp]
PROJECTIONS, CONVERGED = 1000, 1e-9


def group_indices(names: Sequence[object]) -> Groups:
    """An index from 0 for each distinct name."""
    known: dict[object, int] = {}
    return np.array([known.setdefault(name, len(known)) for name in names], dtype=np.intp)


def within(columns: Floats, *groups: Groups) -> Floats:
    """The columns less the means of each grouping, by alternating projections.

    Args:
        columns: [rows, columns].
        groups: Of each grouping, the group of each row.
    """
    found = columns.astype(np.float64)
    for _ in range(PROJECTIONS):
        before = found.copy()
        for group in groups:
            count = np.bincount(group)
            for column in range(found.shape[1]):
                found[:, column] -= (np.bincount(group, found[:, column]) / count)[group]
        if np.abs(found - before).max() < CONVERGED:
            break
    return found


def slope(outcome: Floats, regressor: Floats, clusters: Groups) -> tuple[float, float]:
    """The coefficient of one regressor and its standard error, clustered; both columns without their fixed effects."""
    squares = float(regressor @ regressor)
    found = float(outcome @ regressor) / squares
    sums = np.bincount(clusters, (outcome - found * regressor) * regressor)
    count = np.count_nonzero(np.bincount(clusters))
    return found, float(np.sqrt(sums @ sums * count / (count - 1))) / squares
