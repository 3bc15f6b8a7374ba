"""A map of program-level risk for any model, fitted to the outcomes of its recorded outputs.

The shipped weights (`analyze.risk.model`) are those of the 32B CWM, whose outputs say which step failed first. Outputs
of other models say only which programs failed. Their map is a logistic regression on a few features of a program and
its reference trace, one of which is the log-odds of the shipped risk. Its coefficients have a normal prior: PRIOR for
that feature, 0 for the others. With few outputs the map therefore ranks programs as the shipped map does, at the
model's own failure rate.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize  # type: ignore[import-untyped]

from analyze.gold_trace.trace import MAX_COUNTED_TOKENS, Trace
from analyze.tokens.tokenizer import Tokenizer
from corpora.errors import InputError, did_you_mean

Floats = NDArray[np.float64]
PRIOR = 0.5
"""Prior mean of the coefficient of the shipped log-odds; 1 would take them as they are."""
PRECISION = 30.0
"""Prior precision of the standardized coefficients, in outputs."""
FEATURES: dict[str, str] = {
    "shipped_log_odds": "log-odds of the risk by the shipped map",
    "frames": "log(1 + frames of the reference trace)",
    "tokens": "log(1 + tokens of the reference trace)",
    "state_load": "log(1 + characters of all states of the reference trace)",
    "source": "log(1 + characters of the program)",
    "output_is_string": "1 if the result is a string, else 0",
    "output": "log(1 + characters of the result)",
}
"""The features by name, in order, with their definitions."""
_VERSION = 1
_EXTREME = 1e-6


@dataclass(frozen=True)
class ProgramMap:
    """A fitted map.

    Attributes:
        bias: log-odds of failure of a program with average features.
        weights: by feature, per standard deviation.
        means: by feature, of the programs it was fitted on.
        scales: by feature, their standard deviations.
        fitted_on: what it was fitted on, in words.
    """

    bias: float
    weights: Mapping[str, float]
    means: Mapping[str, float]
    scales: Mapping[str, float]
    fitted_on: str = ""

    def risk(self, features: Sequence[float] | Floats) -> float:
        """The probability that the model fails on a program with these features (in the order of FEATURES)."""
        standard = (
            (value - self.means[name]) / self.scales[name] for name, value in zip(FEATURES, features, strict=True)
        )
        score = self.bias + sum(self.weights[name] * value for name, value in zip(FEATURES, standard, strict=True))
        return 1 / (1 + math.exp(-score))

    def save(self, path: Path) -> None:
        """Writes the map as JSON. Raises InputError if the file cannot be written."""
        try:
            path.write_text(json.dumps({"version": _VERSION, **asdict(self)}, indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", where=str(path)) from error


def load_program_map(path: Path) -> ProgramMap:
    """The map in a file. Raises InputError if it is not a map, or was fitted with other features."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from error
    except ValueError as error:
        raise InputError(f"is not a map: {error}", where=str(path)) from error
    if not isinstance(content, dict) or content.get("version") != _VERSION:
        raise InputError("is not a map that `spellout assess --fit --save` wrote", where=str(path))
    names = content.get("weights", {})
    if list(names) != list(FEATURES):
        unknown = next((name for name in names if name not in FEATURES), "")
        hint = f" ({unknown!r}{did_you_mean(unknown, FEATURES)})" if unknown else ""
        raise InputError(f"was fitted with other features{hint}: run `spellout assess --fit` again", where=str(path))
    del content["version"]
    return ProgramMap(**content)


def program_features(trace: Trace, risk: float, tokenizer: Tokenizer) -> Floats:
    """The features of a program, float64 [features].

    Args:
        trace: the whole reference trace of its call.
        risk: of the shipped map, 0..1.
        tokenizer: of the model.
    """
    known = min(max(risk, _EXTREME), 1 - _EXTREME)
    tokens = trace.count_tokens(tokenizer, MAX_COUNTED_TOKENS) or MAX_COUNTED_TOKENS
    pairs = [pair for frame in trace.frames for pair in frame.state or () if pair[1] != ".."]
    result = trace.outcome.value or ""
    return np.array(
        [
            math.log(known / (1 - known)),
            math.log1p(len(trace.frames)),
            math.log1p(tokens),
            math.log1p(sum(len(name) + len(value) for name, value in pairs)),
            math.log1p(len(trace.context)),
            float(result[:1] in ("'", '"')),
            math.log1p(len(result)),
        ]
    )


def fit_program_map(features: Floats, failed: Floats, fitted_on: str = "") -> ProgramMap:
    """The map with the highest posterior density.

    Args:
        features: float64 [programs, features].
        failed: share of failed outputs of each program, float64 [programs], 0..1.
        fitted_on: in words.
    """
    means, scales = features.mean(axis=0), features.std(axis=0)
    scales = np.where(scales > 0, scales, 1.0)
    standard = (features - means) / scales
    prior = np.zeros(features.shape[1])
    prior[0] = PRIOR * scales[0]

    def loss(parameters: Floats) -> tuple[float, Floats]:
        score = standard @ parameters[1:] + parameters[0]
        apart = parameters[1:] - prior
        value = float(np.sum(np.logaddexp(0, score) - failed * score) + PRECISION * apart @ apart / 2)
        residual = 1 / (1 + np.exp(-score)) - failed
        return value, np.concatenate([[residual.sum()], standard.T @ residual + PRECISION * apart])

    found = minimize(loss, np.concatenate([[0.0], prior]), jac=True, method="L-BFGS-B").x
    return ProgramMap(float(found[0]), _named(found[1:]), _named(means), _named(scales), fitted_on)


def _named(values: Floats) -> dict[str, float]:
    return dict(zip(FEATURES, map(float, values), strict=True))
