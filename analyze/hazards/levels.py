"""The level of a class for a family of models: a warning if programs with the class fail more often, else info.

The measurements are those of `analyze.hazards.effects`: differences in failure rate, for the family where it was
measured, else for the panel of all families. This is the only place that decides what a warning is.
"""

from __future__ import annotations

from typing import Literal

from analyze.hazards.base import all_hazards, get_hazard
from analyze.hazards.effects import RateDifference, measured_effects

Level = Literal["warning", "info"]


def measured_difference(code: str, family: str) -> RateDifference | None:
    """Returns the difference in failure rate of the family, or of the panel; None if the class was not measured."""
    found = measured_effects().hazards.get(code)
    return None if found is None else found.families.get(family, found.panel)


def level(code: str, family: str) -> Level:
    """Returns "warning" if the interval of the difference in failure rate is above 0, else "info".

    MATCH, the absence of a hazard, is never a warning.
    """
    found = measured_difference(code, family)
    return "warning" if code != "MATCH" and found is not None and found.is_positive else "info"


def priority(code: str, family: str) -> tuple[bool, float, str]:
    """Returns the sort key of a class in lists: warnings first, then the most severe classes."""
    return level(code, family) == "info", -get_hazard(code).severity, code


def warning_codes(family: str) -> frozenset[str]:
    """Returns the classes that are warnings for a family."""
    return frozenset(kind.name for kind in all_hazards() if level(kind.name, family) == "warning")


def format_difference(code: str, family: str) -> str:
    """Returns the difference in failure rate with its interval, in percentage points; "not measured" without one."""
    found = measured_difference(code, family)
    return "not measured" if found is None else str(found)
