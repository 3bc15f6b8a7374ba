"""The published weights: from a step's features to the risk that the model gets its frame wrong, and why, in words.

A logistic model of steps: risk = 1 / (1 + exp(-(bias + Σ weight · feature))). A sample's risk is that of a first error
somewhere, 1 − Π(1 − risk). The weights stand in `weights.json`, as `python -m analyze.risk.fit DATA --write`
wrote them. What it does not do: fit them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from analyze.risk.features import WORDS, Step, kind_of

FILE = Path(__file__).with_name("weights.json")
# How much a feature must add to the log-odds to be named as a reason, and how many are named.
NAMED, REASONS = 0.3, 3


@dataclass(frozen=True)
class Weights:
    """bias and weights of the log-odds, by feature; made_from: what they were fitted on, in words."""

    bias: float
    weights: Mapping[str, float]
    made_from: str = ""

    def risk(self, step: Step) -> float:
        """The risk, in 0..1, that the frame of this step is wrong although all before it are right."""
        score = self.bias + sum(self.weights[name] * value for name, value in step.values.items())
        return 1 / (1 + math.exp(-score))

    def why(self, step: Step) -> tuple[str, ...]:
        """What adds most to the risk, in words; empty where nothing stands out."""
        added = {name: self.weights[name] * value for name, value in step.values.items()}
        named = sorted((name for name in added if added[name] >= NAMED), key=lambda name: -added[name])
        return tuple(_in_words(name, step) for name in named[:REASONS])


@cache
def published() -> Weights:
    """The weights that come with Spellout."""
    content = json.loads(FILE.read_text(encoding="utf-8"))
    return Weights(content["bias"], {name: content["weights"][name] for name in WORDS}, content["made_from"])


def sample_risk(risks: Iterable[float]) -> float:
    """The risk that some step is wrong, if steps fail one by one: 1 − Π(1 − risk)."""
    return 1 - math.prod(1 - risk for risk in risks)


def _in_words(name: str, step: Step) -> str:
    """The feature's sentence, with the operation that it comes from where it comes from one."""
    sized = [(kind_of(operation)[1], operation) for operation in step.operations if kind_of(operation)[0] == name]
    if not sized:
        return WORDS[name]
    size, operation = max(sized, key=lambda pair: pair[0])
    over = f"{operation.name} over {size}" if operation.name else f"over {size}"
    what = "characters" if operation.receiver.type == "str" else "items"
    return f"{WORDS[name]} ({over} {what})" if size > 0 else WORDS[name]
