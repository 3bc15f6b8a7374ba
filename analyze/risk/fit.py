"""Fits the weights of the risk on judged steps: `python -m analyze.risk.fit ../shared/data [--write]`.

A logistic regression with an L2 prior over standardized features (scikit-learn, extra `fit`), whose weights are then
given for the features as they are. What it does not do: say what the weights are worth (`analyze.risk.validate`).
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

from analyze.risk.features import WORDS
from analyze.risk.judged import Judged, read_judged
from analyze.risk.model import FILE, Weights
from corpora.errors import InputError

STRENGTH = 0.03  # the inverse of the prior's strength: scikit-learn's C
Floats = NDArray[np.float64]


def fit(programs: Sequence[Judged], names: Sequence[str] = tuple(WORDS), strength: float = STRENGTH) -> Weights:
    """Weights from the judged steps of these programs; `names`: of the columns of `Judged.features`."""
    steps, wrong = judged_steps(programs)
    scaler = sklearn("preprocessing").StandardScaler().fit(steps)
    model = sklearn("linear_model").LogisticRegression(C=strength, max_iter=2000).fit(scaler.transform(steps), wrong)
    weights = model.coef_[0] / scaler.scale_
    bias = float(model.intercept_[0] - weights @ scaler.mean_)
    return Weights(bias, dict(zip(names, map(float, weights), strict=True)))


def sklearn(module: str) -> Any:
    """A module of scikit-learn, which only fitting and validating need. Raises InputError where it is missing."""
    try:
        return importlib.import_module(f"sklearn.{module}")
    except ImportError as error:
        raise InputError("needs scikit-learn: pip install '.[fit]'") from error


def judged_steps(programs: Sequence[Judged]) -> tuple[Floats, NDArray[np.bool_]]:
    """(features, wrong) of all judged steps: float64 [steps, features] and bool [steps]."""
    chosen = [(program, frame) for program in programs for frame in program.seen]
    return (
        np.array([program.features[frame] for program, frame in chosen]),
        np.array([program.wrong == frame for program, frame in chosen]),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the weights; with --write keep them."""
    parser = argparse.ArgumentParser(prog="python -m analyze.risk.fit", description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="folder of cruxeval_even.jsonl and cwm_failures_even.jsonl")
    parser.add_argument("--write", action="store_true", help=f"keep the weights in {FILE.name}")
    options = parser.parse_args(arguments)
    programs = read_judged(options.data)
    steps, wrong = judged_steps(programs)
    weights = fit(programs)
    said = f"{len(steps)} judged steps of {len(programs)} programs, {int(wrong.sum())} of them wrong"
    write = sys.stdout.write
    write(said + "\n")
    for name, value in sorted(weights.weights.items(), key=lambda pair: -pair[1]):
        write(f"{name:12} {value:7.3f}  {WORDS[name]}\n")
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
