"""The weights of the planner: few numbers in one file, `weights.json`, computed by `rewrite.planner.fit`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from analyze.risk.model import FILE as RISK_FILE

FILE = Path(__file__).with_name("weights.json")


@dataclass(frozen=True)
class PlannerWeights:
    """The weights of the planner.

    Attributes:
        effects: By kind of candidate, the fraction of a line's risk that it removes beside what its trace shows.
        token: The least gain (in −log of the probability of a correct trace) for each token that a candidate adds.
        most: Token limit of a plan, as a multiple of the original's tokens.
        made_from: The data of the fit, in words.
    """

    effects: Mapping[str, float]
    token: float
    most: float
    made_from: str = ""


@cache
def published() -> PlannerWeights:
    """The weights shipped with Spellout."""
    content = json.loads(FILE.read_text(encoding="utf-8"))
    return PlannerWeights(content["effects"], content["token"], content["most"], content["made_from"])


def risk_weights_digest() -> str:
    """Identifies the risk weights in use; `weights.json` stores those that the planner's weights were fitted with."""
    return hashlib.sha256(RISK_FILE.read_bytes()).hexdigest()[:16]
