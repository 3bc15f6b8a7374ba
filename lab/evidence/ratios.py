"""By how much each change multiplies the chance of a right answer, from answers to forms of the same programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy  # type: ignore[import-untyped]
from numpy.typing import NDArray

from corpora.errors import InputError

POWER = 0.8
STEPS, CONVERGED = 100, 1e-10
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LogRatios:
    """What one unit of each change adds to −log of the probability of a right answer.

    Attributes:
        estimates: By change; above 0: harm.
        covariance: Of the estimates, robust and clustered by problem.
        problems: Number of problems.
    """

    estimates: Floats
    covariance: Floats
    problems: int

    def error(self, change: int) -> float:
        """The standard error of one estimate."""
        return float(np.sqrt(self.covariance[change, change]))

    def interval(self, change: int) -> tuple[float, float]:
        """The 95 % interval of one estimate, with Student's quantile."""
        half = float(scipy.stats.t.ppf(0.975, self.problems - 1)) * self.error(change)
        return float(self.estimates[change]) - half, float(self.estimates[change]) + half

    def p(self, change: int) -> float:
        """The two-sided p-value of one estimate, before correction."""
        return float(2 * scipy.stats.t.sf(abs(self.estimates[change]) / self.error(change), self.problems - 1))

    def detectable(self, change: int, questions: int) -> float:
        """The smallest effect that the data show with a probability of 80 %, at 5 % divided by the questions."""
        free = self.problems - 1
        quantiles = scipy.stats.t.ppf(1 - 0.025 / questions, free) + scipy.stats.t.ppf(POWER, free)
        return self.error(change) * float(quantiles)


def fit_log_ratios(changes: Floats, right: Floats, problems: Sequence[str]) -> LogRatios:
    """Poisson regression with a fixed effect for each sample and model, fitted conditionally.

    The probability of a right answer is that of the sample and model times exp(−Σ estimate · change). Difficulty and
    ability cancel. The estimates are consistent for any outcome of at least 0, also for right and wrong; the robust
    covariance allows for samples of a problem that succeed or fail together.

    Args:
        changes: Amount of each change [samples and models, forms, changes].
        right: 1 for a right answer, else 0 [samples and models, forms].
        problems: The problem of each sample and model.

    Raises:
        InputError: The amounts of two changes depend on each other, so that their effects cannot be separated.

    Note:
        Wooldridge 1999, "Distribution-free estimation of some nonlinear panel data models".
    """
    total = right.sum(axis=1)
    found = np.zeros(changes.shape[2])
    for _ in range(STEPS):
        score = changes @ found
        share = np.exp(score - score.max(axis=1, keepdims=True))
        share /= share.sum(axis=1, keepdims=True)
        gradient = np.einsum("gf,gfc->gc", right - total[:, None] * share, changes)
        mean = np.einsum("gf,gfc->gc", share, changes)
        squares = np.einsum("g,gf,gfc,gfd->cd", total, share, changes, changes)
        information = squares - np.einsum("g,gc,gd->cd", total, mean, mean)
        if np.linalg.matrix_rank(information) < len(information):
            raise InputError("has changes that always come together: their effects cannot be separated")
        step = np.linalg.solve(information, gradient.sum(axis=0))
        found = found + step
        if np.abs(step).max() < CONVERGED:
            break
    names = sorted(set(problems))
    owner = np.array([names.index(problem) for problem in problems])
    by_problem = np.array([gradient[owner == index].sum(axis=0) for index in range(len(names))])
    inverse = np.linalg.inv(information)
    covariance = inverse @ (by_problem.T @ by_problem) @ inverse * len(names) / (len(names) - 1)
    return LogRatios(-found, covariance, len(names))
