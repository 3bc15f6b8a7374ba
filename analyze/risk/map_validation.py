"""Cross-validation of a program map: what its risks are worth on programs that it was not fitted on.

Folds are drawn by program, so that calls of one program are on one side. A baseline ranks the same programs by one
number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analyze.risk.map_fit import Floats, fit_program_map
from analyze.risk.program_map import FEATURES, PANEL, WITHOUT_PANEL
from corpora.errors import InputError

FOLDS = 10
RESAMPLES = 1000
NORMAL_95_ONE_SIDED = 1.644854
LEAST_OF_EACH = 10
"""Failed, and correct, outputs that a fit needs."""
BASELINES = {
    "shipped map": "shipped_log_odds",
    "length of the program": "source",
    "length of the trace": "frames",
    "tokens of the trace": "tokens",
    "state load": "state_load",
    "output is a string": "output_is_string",
    "length of the output": "output",
    "operations on strings": "string_operations",
    "panel difficulty": PANEL,
}
"""What the map is compared with, by the feature that it ranks by; panel difficulty only where every program has one."""


@dataclass(frozen=True)
class Quarter:
    """A quarter of the programs, by predicted risk.

    Attributes:
        programs: how many.
        predicted: their mean risk.
        observed: the share of their outputs that failed.
    """

    programs: int
    predicted: float
    observed: float


@dataclass(frozen=True)
class MapValidation:
    """Figures of programs outside the fit.

    Attributes:
        programs: how many programs and calls.
        failures: sum of their shares of failed outputs.
        expected: sum of their predicted risks.
        auroc: probability that a failed output has a higher risk than a correct one.
        auroc_interval: 95 % interval, over resampled programs.
        baselines: AUROC of each baseline.
        brier: mean squared error of the risk.
        shipped_brier: that of the shipped map's risk.
        base_rate_brier: that of the mean failure rate.
        least_gain: how much lower the risk's error is than that of the better of these two, as a lower confidence bound
            (95 %, one-sided, over programs).
        quarters: calibration, from the lowest to the highest risk.
    """

    programs: int
    failures: float
    expected: float
    auroc: float
    auroc_interval: tuple[float, float]
    baselines: dict[str, float]
    brier: float
    shipped_brier: float
    base_rate_brier: float
    least_gain: float
    quarters: tuple[Quarter, ...]

    @property
    def beats_shipped(self) -> bool:
        """Whether the fit is better than the shipped map and than the mean failure rate, beyond chance."""
        return self.least_gain > 0


def cross_validate(
    features: Floats, failed: Floats, programs: Sequence[str], names: Sequence[str] = WITHOUT_PANEL
) -> MapValidation:
    """Validates fits on these outputs.

    Args:
        features: float64 [calls, FEATURES].
        failed: share of failed outputs of each call, float64 [calls].
        programs: the program of each call.
        names: The features that the map uses (default: all but panel difficulty).

    Raises:
        InputError: there are too few failed or correct outputs for a fit.
    """
    if min(failed.sum(), (1 - failed).sum()) < LEAST_OF_EACH:
        counts = f"{failed.sum():.0f} failed and {(1 - failed).sum():.0f} correct"
        raise InputError(f"too few outputs for a fit: {counts} programs; {LEAST_OF_EACH} of each are needed")
    random = np.random.default_rng(0)
    group = _groups(programs)
    fold = random.permutation(group.max() + 1)[group] % FOLDS
    risks, base_rates = np.zeros(len(failed)), np.zeros(len(failed))
    for number in range(FOLDS):
        held_out = fold == number
        fitted = fit_program_map(features[~held_out], failed[~held_out], names=names)
        risks[held_out] = [fitted.risk(row) for row in features[held_out]]
        base_rates[held_out] = failed[~held_out].mean()
    shipped = 1 / (1 + np.exp(-features[:, 0]))
    columns = {name: features[:, list(FEATURES).index(feature)] for name, feature in BASELINES.items()}
    columns = {name: column for name, column in columns.items() if not np.isnan(column).any()}
    errors = [_squared_errors(failed, predicted) for predicted in (risks, shipped, base_rates)]
    return MapValidation(
        programs=len(failed),
        failures=float(failed.sum()),
        expected=float(risks.sum()),
        auroc=weighted_auroc(failed, risks),
        auroc_interval=bootstrap_interval(failed, risks, group, random),
        baselines={name: weighted_auroc(failed, column) for name, column in columns.items()},
        brier=float(errors[0].mean()),
        shipped_brier=float(errors[1].mean()),
        base_rate_brier=float(errors[2].mean()),
        least_gain=min(_lower_bound(other - errors[0], group) for other in errors[1:]),
        quarters=tuple(_quarters(failed, risks)),
    )


def weighted_auroc(failed: Floats, scores: Floats) -> float:
    """The probability that a random failed output has a higher score than a random correct one; ties count half.

    >>> weighted_auroc(np.array([1.0, 0.5, 0.0]), np.array([3.0, 2.0, 1.0]))
    0.9444444444444444
    """
    higher = (scores[:, None] > scores) + 0.5 * (scores[:, None] == scores)
    return float(failed @ higher @ (1 - failed) / (failed.sum() * (1 - failed).sum()))


def _groups(programs: Sequence[str]) -> NDArray[np.int64]:
    numbers = {program: number for number, program in enumerate(dict.fromkeys(programs))}
    return np.array([numbers[program] for program in programs])


def _squared_errors(failed: Floats, risks: Floats) -> Floats:
    """The mean squared error over the outputs of each call, each of which failed or did not."""
    return failed * (1 - risks) ** 2 + (1 - failed) * risks**2


def _lower_bound(gains: Floats, group: NDArray[np.int64]) -> float:
    """The one-sided lower 95 % bound of a mean, by the normal approximation over programs."""
    totals = np.bincount(group, weights=gains - gains.mean())
    return float(gains.mean() - NORMAL_95_ONE_SIDED * np.sqrt(totals @ totals) / len(gains))


def bootstrap_interval(
    failed: Floats, risks: Floats, group: NDArray[np.int64], random: np.random.Generator
) -> tuple[float, float]:
    """The 95 % interval of an AUROC: percentiles over resampled programs. `group`: the program of each call."""
    members = [np.flatnonzero(group == number) for number in range(group.max() + 1)]
    found = []
    for _ in range(RESAMPLES):
        chosen = np.concatenate([members[number] for number in random.integers(0, len(members), len(members))])
        if 0 < failed[chosen].sum() < len(chosen):
            found.append(weighted_auroc(failed[chosen], risks[chosen]))
    low, high = np.quantile(found, [0.025, 0.975])
    return float(low), float(high)


def _quarters(failed: Floats, risks: Floats) -> list[Quarter]:
    parts = np.array_split(np.argsort(risks, kind="stable"), 4)
    return [Quarter(len(part), float(risks[part].mean()), float(failed[part].mean())) for part in parts]
