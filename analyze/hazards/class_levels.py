"""The level of a class for a family of models: a warning if programs with the class fail more often, else info.

A class that makes a model answer about another string is an error for all families.

The measurements are those of `analyze.hazards.measured_effects`: differences in failure rate of the family; without
one, those of the panel of all families. HIDDEN_CHAR has the effect of the family's vocabulary on character tasks
instead (`analyze.hazards.hidden_characters`), the only one that is separated from the difficulty of the programs. This
is the only place that decides what a warning is.
"""

from __future__ import annotations

from typing import Literal, get_args

from analyze.hazards.base import all_hazards, get_hazard
from analyze.hazards.hidden_characters import hidden_character_effect
from analyze.hazards.measured_effects import RateDifference, measured_effects

Level = Literal["error", "warning", "info"]
_ORDER = get_args(Level)
HIDDEN = "HIDDEN_CHAR"


def measured_difference(code: str, family: str) -> RateDifference | None:
    """Returns the difference in failure rate of the family, of the panel for ""; None if it was not measured."""
    if code == HIDDEN and (of_vocabulary := hidden_character_effect(family)) is not None:
        return of_vocabulary
    found = measured_effects().hazards.get(code)
    return None if found is None else found.families.get(family) if family else found.panel


def level(code: str, family: str) -> Level:
    """Returns "error", "warning" if the interval of the difference in failure rate is above 0, or "info".

    MATCH, the absence of a hazard, is never a warning.
    """
    if get_hazard(code).is_error:
        return "error"
    found = measured_difference(code, family)
    return "warning" if code != "MATCH" and found is not None and found.is_positive else "info"


def priority(code: str, family: str) -> tuple[int, float, str]:
    """Returns the sort key of a class in lists: errors first, then warnings, then the most severe classes."""
    return _ORDER.index(level(code, family)), -get_hazard(code).severity, code


def warning_codes(family: str) -> frozenset[str]:
    """Returns the classes that are errors or warnings for a family."""
    return frozenset(kind.name for kind in all_hazards() if level(kind.name, family) != "info")


def format_difference(code: str, family: str) -> str:
    """Returns the difference in failure rate with its interval, in percentage points; "not measured" without one."""
    found = measured_difference(code, family)
    return "not measured" if found is None else str(found)
