"""Weights of the reliability map for programs that they were not fitted on: ten folds of CruxEval's even half."""

from __future__ import annotations

from pathlib import Path

from analyze.risk.risk_model import RiskWeights
from lab.risk.fit import fit
from lab.risk.labelled_traces import read_labelled_traces

FOLDS = 10


def held_out_risk_weights(data: Path) -> dict[str, RiskWeights]:
    """For each program of CruxEval's even half, risk weights that were fitted without it."""
    programs = read_labelled_traces(data)
    found: dict[str, RiskWeights] = {}
    for fold in range(FOLDS):
        weights = fit([one for number, one in enumerate(programs) if number % FOLDS != fold])
        found |= {one.case.id: weights for number, one in enumerate(programs) if number % FOLDS == fold}
    return found
