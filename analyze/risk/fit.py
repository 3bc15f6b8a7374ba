"""Fits the weights of the risk on labelled traces: `python -m analyze.risk.fit ../shared/data [--write]`.

A logistic regression with an L2 prior over standardized features (scikit-learn, extra `fit`). The weights are then
converted to unscaled features. `analyze.risk.validate` measures how well they predict.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyze.risk.features import FEATURE_DESCRIPTIONS
from analyze.risk.labelled_traces import LabelledTrace, read_labelled_traces
from analyze.risk.model import FILE, RiskWeights
from corpora.errors import InputError

STRENGTH = 0.03  # the inverse of the prior's strength: scikit-learn's C
Floats = NDArray[np.float64]


def fit(
    programs: Sequence[LabelledTrace], names: Sequence[str] = tuple(FEATURE_DESCRIPTIONS), strength: float = STRENGTH
) -> RiskWeights:
    """Fits weights on the labelled steps of these programs.

    Args:
        programs: Traces with labels.
        names: The names of the columns of `LabelledTrace.features`.
        strength: scikit-learn's C, the inverse of the prior's strength.
    """
    steps, wrong = judged_steps(programs)
    scaler = sklearn("preprocessing").StandardScaler().fit(steps)
    model = sklearn("linear_model").LogisticRegression(C=strength, max_iter=2000).fit(scaler.transform(steps), wrong)
    weights = model.coef_[0] / scaler.scale_
    bias = float(model.intercept_[0] - weights @ scaler.mean_)
    return RiskWeights(bias, dict(zip(names, map(float, weights), strict=True)))


def sklearn(module: str) -> Any:
    """Imports a module of scikit-learn, which only fitting and validation need. Raises InputError if it is missing."""
    try:
        return importlib.import_module(f"sklearn.{module}")
    except ImportError as error:
        raise InputError("needs scikit-learn: pip install '.[fit]'") from error


def judged_steps(programs: Sequence[LabelledTrace]) -> tuple[Floats, NDArray[np.bool_]]:
    """Returns the features and labels of all labelled steps: float64 [steps, features] and bool [steps]."""
    chosen = [(program, frame) for program in programs for frame in program.labelled_frames]
    return (
        np.array([program.features[frame] for program, frame in chosen]),
        np.array([program.wrong == frame for program, frame in chosen]),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the weights; with --write, stores them."""
    parser = argparse.ArgumentParser(prog="python -m analyze.risk.fit", description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="folder of cruxeval_even.jsonl and cwm_failures_even.jsonl")
    parser.add_argument("--write", action="store_true", help=f"store the weights in {FILE.name}")
    options = parser.parse_args(arguments)
    programs = read_labelled_traces(options.data)
    steps, wrong = judged_steps(programs)
    weights = fit(programs)
    said = f"{len(steps)} labelled steps of {len(programs)} programs, {int(wrong.sum())} of them wrong"
    write = sys.stdout.write
    write(said + "\n")
    for name, value in sorted(weights.weights.items(), key=lambda pair: -pair[1]):
        write(f"{name:12} {value:7.3f}  {FEATURE_DESCRIPTIONS[name]}\n")
    if options.write:
        rounded = {name: round(value, 4) for name, value in weights.weights.items()}
        content = {
            "made_by": "python -m analyze.risk.fit DATA --write",
            "made_from": said,
            "bias": round(weights.bias, 4),
        }
        FILE.write_text(json.dumps({**content, "weights": rounded}, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
