"""The fitted severities and what each flag was worth on real failures, as `analyze.risk.calibrate` wrote them.

What it does not do: fit them (`analyze.risk.calibrate`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("severities.json")


@dataclass(frozen=True)
class HazardEffect:
    """What a hazard was worth on real failures.

    failures, successes: how many of the failed and of the right rows carry it; ratio: of the two shares; low, high: the
    95 % interval of the ratio; severity: the fitted one, 0..1; odds: how much it multiplies the odds of a wrong step
    beside a search or edit as such and the length of the texts, with its 95 % interval.
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
        """Whether it is shown to add anything: the interval of the odds ratio lies above 1."""
        return self.odds_low > 1


@cache
def fitted_effects() -> dict[str, HazardEffect]:
    """By hazard; empty before the first calibration."""
    if not FILE.is_file():
        return {}
    return {
        name: HazardEffect(**entry) for name, entry in json.loads(FILE.read_text(encoding="utf-8"))["hazards"].items()
    }


def format_odds_ratio(name: str) -> str:
    """What the hazard adds, as an odds ratio with its interval, for people; empty where it was not measured."""
    worth = fitted_effects().get(name)
    if worth is None:
        return ""
    said = "" if worth.is_significant else ", not significant" if worth.severity else ", the reference"
    return f"{worth.odds:.2f} [{worth.odds_low:.2f}, {worth.odds_high:.2f}]{said}"
