"""The weights of the planner: few numbers in one file, `weights.json`.

`rewrite.planner.fit` fits the effects and proposes a price. The shipped price and limits were set by hand
(docs/planner.md).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

from analyze.risk.model import FILE as RISK_FILE

FILE = Path(__file__).with_name("weights.json")


@dataclass(frozen=True)
class PlannerWeights:
    """The weights of the planner.

    Attributes:
        effects: By kind of candidate, the fraction of an operation's risk that it removes.
        price: The least gain (in −log of the probability of a correct trace) of a plan that adds as many tokens as the
            original has (`rewrite.planner.materialization.price_of`).
        most: Token limit of a plan, as a multiple of the original's tokens.
        spare: Tokens that a plan may add to any program, also beyond that limit.
        least: A trace with fewer tokens than this is priced as if it had this number.
        made_from: The data of the fit, in words.
    """

    effects: Mapping[str, float]
    price: float
    most: float
    spare: int = 0
    least: int = 0
    made_from: str = ""


@cache
def published() -> PlannerWeights:
    """The weights shipped with Spellout."""
    content = json.loads(FILE.read_text(encoding="utf-8"))
    return PlannerWeights(**{one.name: content[one.name] for one in fields(PlannerWeights)})


def risk_weights_digest() -> str:
    """Identifies the risk weights in use; `weights.json` stores those that the planner's weights were fitted with."""
    return hashlib.sha256(RISK_FILE.read_bytes()).hexdigest()[:16]
