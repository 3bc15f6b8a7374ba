"""The numbers that a plan rests on: few, named, in one place, `weights.json`, made by `rewrite.planner.fit`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("weights.json")


@dataclass(frozen=True)
class PlannerWeights:
    """effects: the share of a step's risk that goes when its line is spelled out, by the kind of candidate.

    token: the least risk (as −log of the chance that all is right) that must go for each token that is added; most: how
    many times the original's tokens a plan may take; made_from: what they were fitted on, in words.
    """

    effects: Mapping[str, float]
    token: float
    most: float
    made_from: str = ""


@cache
def published() -> PlannerWeights:
    """The weights that come with Spellout."""
    content = json.loads(FILE.read_text(encoding="utf-8"))
    return PlannerWeights(content["effects"], content["token"], content["most"], content["made_from"])
