"""The fitted severities and what each flag was worth on real failures, as `python -m analyze.calibrate` wrote them.

What it does not do: fit them (`analyze.calibrate`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("severities.json")


@dataclass(frozen=True)
class Worth:
    """What a hazard was worth as a flag.

    failures, successes: how many of the failed and of the right rows carry it; ratio: of the two shares; low, high: the
    95 % interval of the ratio; severity: the fitted one, 0..1.
    """

    failures: int
    successes: int
    ratio: float
    low: float
    high: float
    severity: float


@cache
def fitted() -> dict[str, Worth]:
    """By hazard; empty before the first calibration."""
    if not FILE.is_file():
        return {}
    return {name: Worth(**entry) for name, entry in json.loads(FILE.read_text(encoding="utf-8"))["hazards"].items()}


def worth_of(name: str) -> str:
    """The ratio of the shares with its interval, for people; empty where it was not measured.

    Over 1: failures carry the hazard more often than successes; an interval with 1 in it shows no difference.
    """
    worth = fitted().get(name)
    return f"{worth.ratio:.2f} [{worth.low:.2f}, {worth.high:.2f}]" if worth else ""
