"""Fitted severities of hazards and their measured effect on model failures, as `lab.risk.calibrate` writes them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("severities.json")


@dataclass(frozen=True)
class HazardEffect:
    """The measured association of a hazard with model failures.

    Attributes:
        failures: Number of failed rows that carry the hazard.
        successes: Number of correct rows that carry it.
        ratio: Share among failures divided by the share among successes.
        low: Lower bound of the ratio's 95 % confidence interval.
        high: Upper bound.
        severity: The fitted severity, in 0..1.
        odds: Factor on the odds of a wrong step, adjusted for search, edit and the length of the strings.
        odds_low: Lower bound of its 95 % confidence interval.
        odds_high: Upper bound.
    """

    failures: int
    successes: int
    ratio: float
    low: float
    high: float
    severity: float
    odds: float = 1.0
    odds_low: float = 0.0
    odds_high: float = float("inf")

    @property
    def is_significant(self) -> bool:
        """Whether the confidence interval of the odds ratio is above 1."""
        return self.odds_low > 1


@cache
def fitted_effects() -> dict[str, HazardEffect]:
    """Returns the fitted effects by hazard; empty before the first calibration."""
    if not FILE.is_file():
        return {}
    hazards = json.loads(FILE.read_text(encoding="utf-8"))["hazards"]
    return {name: HazardEffect(**entry) for name, entry in hazards.items()}


def format_odds_ratio(name: str) -> str:
    """Formats the hazard's odds ratio with its confidence interval; empty if it was not measured."""
    effect = fitted_effects().get(name)
    if effect is None:
        return ""
    note = "" if effect.is_significant else ", not significant" if effect.severity else ", the reference"
    return f"{effect.odds:.2f} [{effect.odds_low:.2f}, {effect.odds_high:.2f}]{note}"
