"""The published weights: from a step's features to the risk that the model gets its frame wrong, and the reasons.

A logistic model of steps: risk = 1 / (1 + exp(-(bias + Σ weight · feature))). A program's risk is that of a first error
at any step, 1 − Π(1 − risk). `python -m lab.risk.fit --write` fits the weights in `weights.json`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from analyze.risk.features import FEATURE_DESCRIPTIONS, StepFeatures, classify_operation
from corpora.errors import InputError

FILE = Path(__file__).with_name("weights.json")
REFIT = "run `python -m lab.risk.fit --write` (CONTRIBUTING.md)"
# A feature is named as a reason if it adds at least NAMED to the log-odds; at most REASONS are named.
NAMED, REASONS = 0.3, 3


@dataclass(frozen=True)
class RiskWeights:
    """Weights of the logistic model.

    Attributes:
        bias: The intercept of the log-odds.
        weights: The weight of each feature.
        made_from: The training data, in words.
    """

    bias: float
    weights: Mapping[str, float]
    made_from: str = ""

    def risk(self, step: StepFeatures) -> float:
        """Returns the probability that the frame of this step is wrong if all earlier frames are correct."""
        score = self.bias + sum(self.weights[name] * value for name, value in step.values.items())
        return 1 / (1 + math.exp(-score))

    def why(self, step: StepFeatures) -> tuple[str, ...]:
        """Returns the features that add most to the risk, in words; empty if none adds much."""
        added = {name: self.weights[name] * value for name, value in step.values.items()}
        named = sorted((name for name in added if added[name] >= NAMED), key=lambda name: -added[name])
        return tuple(_in_words(name, step) for name in named[:REASONS])


@cache
def published_weights() -> RiskWeights:
    """Returns the weights that are shipped with Spellout."""
    return read_weights(FILE)


def read_weights(path: Path) -> RiskWeights:
    """Reads weights that `lab.risk.fit` wrote.

    Raises:
        InputError: The weights were fitted for other features than `FEATURE_DESCRIPTIONS`.
    """
    content = json.loads(path.read_text(encoding="utf-8"))
    weights = content["weights"]
    added = [name for name in FEATURE_DESCRIPTIONS if name not in weights]
    removed = [name for name in weights if name not in FEATURE_DESCRIPTIONS]
    if added or removed:
        parts = {"without a weight": added, "no longer a feature": removed}
        what = "; ".join(f"{which}: {', '.join(names)}" for which, names in parts.items() if names)
        raise InputError(f"was fitted for other features ({what}); {REFIT}", where=str(path))
    return RiskWeights(content["bias"], {name: weights[name] for name in FEATURE_DESCRIPTIONS}, content["made_from"])


def sample_risk(risks: Iterable[float]) -> float:
    """Returns the probability that some step is wrong, if steps fail independently: 1 − Π(1 − risk)."""
    return 1 - math.prod(1 - risk for risk in risks)


def _in_words(name: str, step: StepFeatures) -> str:
    """Returns the feature's description, with the operation that it stems from, if any."""
    sized = [(*classify_operation(operation), operation) for operation in step.operations]
    of_feature = [(size, operation) for feature, size, operation in sized if feature == name and size > 0]
    if not of_feature:
        return FEATURE_DESCRIPTIONS[name]
    size, operation = max(of_feature, key=lambda pair: pair[0])
    over = f"{operation.name} over {size}".lstrip()  # a slice has no name
    what = "characters" if operation.receiver.type == "str" else "items"
    return f"{FEATURE_DESCRIPTIONS[name]} ({over} {what})"
