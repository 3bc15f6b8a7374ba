"""Fits a map of program-level risk (`analyze.risk.program_map`) to the outcomes of a model's outputs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from analyze.risk.program_map import FEATURES, PANEL, WITHOUT_PANEL, ProgramMap

Floats = NDArray[np.float64]
PRIOR = {"shipped_log_odds": 0.5, PANEL: 0.5}
"""Prior means of coefficients; 1 would take the log-odds as they are."""
PRECISION = 30.0
"""Prior precision of the standardized coefficients, in outputs."""


def fit_program_map(
    features: Floats, failed: Floats, fitted_on: str = "", names: Sequence[str] = WITHOUT_PANEL
) -> ProgramMap:
    """Returns the map with the highest posterior density.

    Args:
        features: float64 [programs, FEATURES].
        failed: Share of failed outputs of each program, float64 [programs], 0..1.
        fitted_on: In words.
        names: The features that it uses (default: all but panel difficulty).
    """
    from scipy.optimize import minimize  # type: ignore[import-untyped]  # takes half a second, which only a fit needs

    features = features[:, [list(FEATURES).index(name) for name in names]]
    means, scales = features.mean(axis=0), features.std(axis=0)
    scales = np.where(scales > 0, scales, 1.0)
    standard = (features - means) / scales
    prior = np.array([PRIOR.get(name, 0.0) for name in names]) * scales

    def loss(parameters: Floats) -> tuple[float, Floats]:
        score = standard @ parameters[1:] + parameters[0]
        apart = parameters[1:] - prior
        value = float(np.sum(np.logaddexp(0, score) - failed * score) + PRECISION * apart @ apart / 2)
        residual = 1 / (1 + np.exp(-score)) - failed
        return value, np.concatenate([[residual.sum()], standard.T @ residual + PRECISION * apart])

    found = minimize(loss, np.concatenate([[0.0], prior]), jac=True, method="L-BFGS-B").x
    return ProgramMap(float(found[0]), _named(names, found[1:]), _named(names, means), _named(names, scales), fitted_on)


def _named(names: Sequence[str], values: Floats) -> dict[str, float]:
    return dict(zip(names, map(float, values), strict=True))
