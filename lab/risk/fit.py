"""Fits the weights of the risk on labelled traces: `python -m lab.risk.fit [--write]`.

The fit has two stages, because the failures of one model are few:

1. The panel's failure rates. The weights are those with which the risk of a first error at any step, 1 − Π(1 − p), is
   closest to the failure rate of each program (cross-entropy). No step has a label here.
2. The failures of the 32B CWM, whose steps have labels: a logistic regression whose prior mean is the first stage's
   weights, times a factor that is fitted too.

Both have L2 priors over standardized features. The weights are then converted to unscaled features.

For programs of a panel, `panel_map.json` combines the risk with the panel difficulty. It is fitted to risks of programs
outside the fit of the weights. `lab.risk.validate` measures how well both predict.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize  # type: ignore[import-untyped]

from analyze.risk.features import FEATURE_DESCRIPTIONS
from analyze.risk.map_fit import fit_program_map
from analyze.risk.program_map import FEATURES, PANEL, PANEL_MAP, ProgramMap, program_features
from analyze.risk.risk_model import FILE, RiskWeights, sample_risk
from analyze.risk.steps import PROMPT_FRAMES
from lab.published_data import add_data_option
from lab.risk.labelled_traces import LabelledTrace, read_labelled_traces


class Strengths(NamedTuple):
    """Variances of the priors of standardized weights. A small one keeps weights near the mean of their prior.

    Attributes:
        panel: In the first stage, around 0.
        labelled: In the second stage, around the first stage's weights.
    """

    panel: float
    labelled: float


SHIPPED = Strengths(panel=0.3, labelled=0.003)
PANEL_STRENGTHS, LABELLED_STRENGTHS = (0.1, 0.3, 1.0), (0.001, 0.003, 0.01, 0.03)
"""What `chosen_strengths` chooses from."""
FOLDS, INNER_FOLDS = 10, 5
PANEL_FEATURES = ("shipped_log_odds", PANEL)
STRENGTH_ALONE = 0.03
"""The same around 0, if no panel knows the programs."""
START = -4.0
"""The intercept that the optimization starts from."""
Floats = NDArray[np.float64]


def fit(
    programs: Sequence[LabelledTrace],
    names: Sequence[str] = tuple(FEATURE_DESCRIPTIONS),
    strengths: Strengths = SHIPPED,
) -> RiskWeights:
    """Fits weights on the labelled steps of these programs, and on the panel's failure rates of those that have one.

    Args:
        programs: Traces with labels.
        names: The names of the columns of `LabelledTrace.features`.
        strengths: Of the priors (default: those of the shipped weights).
    """
    return next(_fits(programs, names, strengths.panel, (strengths.labelled,)))


def _fits(
    programs: Sequence[LabelledTrace], names: Sequence[str], panel: float, labelled: Sequence[float]
) -> Iterator[RiskWeights]:
    """Yields weights for each strength of the second stage; the first stage is fitted once."""
    steps, wrong = judged_steps(programs)
    means, scales = steps.mean(axis=0), steps.std(axis=0)
    scales = np.where(scales > 0, scales, 1.0)
    known = [program for program in programs if program.difficulty is not None]
    prior = _panel_weights(known, means, scales, panel)
    for strength in labelled if known else (STRENGTH_ALONE,) * len(labelled):
        scaled = _labelled_weights((steps - means) / scales, wrong.astype(np.float64), prior, strength)
        weights = scaled[1:] / scales
        yield RiskWeights(float(scaled[0] - weights @ means), dict(zip(names, map(float, weights), strict=True)))


def _panel_weights(programs: Sequence[LabelledTrace], means: Floats, scales: Floats, strength: float) -> Floats:
    """Returns the first stage's weights of standardized features; zeros without a program of the panel."""
    known = [program for program in programs if len(program.features) > PROMPT_FRAMES]
    if not known:
        return np.zeros_like(means)
    steps = [(program.features[PROMPT_FRAMES:] - means) / scales for program in known]
    owner = np.repeat(np.arange(len(known)), list(map(len, steps)))
    columns, rates = np.vstack(steps), np.array([program.difficulty for program in known])

    def loss(parameters: Floats) -> tuple[float, Floats]:
        score = columns @ parameters[1:] + parameters[0]
        hazard = np.bincount(owner, np.logaddexp(0, score), len(known))  # −log of the probability of no error
        error = -np.expm1(-hazard)
        value = float(rates @ -np.log(error) + (1 - rates) @ hazard)
        by_step = ((1 - rates) - rates * np.exp(-hazard) / error)[owner] / (1 + np.exp(-score))
        value += float(parameters[1:] @ parameters[1:]) / (2 * strength)
        return value, np.concatenate([[by_step.sum()], columns.T @ by_step + parameters[1:] / strength])

    start = np.concatenate([[START], np.zeros_like(means)])
    found: Floats = minimize(loss, start, jac=True, method="L-BFGS-B").x[1:]
    return found


def _labelled_weights(steps: Floats, wrong: Floats, prior: Floats, strength: float) -> Floats:
    """Returns the second stage's intercept and weights of standardized features."""

    def loss(parameters: Floats) -> tuple[float, Floats]:
        factor, apart = parameters[0], parameters[2:]
        score = steps @ (factor * prior + apart) + parameters[1]
        value = float(np.sum(np.logaddexp(0, score) - wrong * score) + apart @ apart / (2 * strength))
        residual = 1 / (1 + np.exp(-score)) - wrong
        by_weight = steps.T @ residual
        gradient = [by_weight @ prior + factor - 1, residual.sum()]
        return value + (factor - 1) ** 2 / 2, np.concatenate([gradient, by_weight + apart / strength])

    start = np.concatenate([[1.0, START], np.zeros_like(prior)])
    found = minimize(loss, start, jac=True, method="L-BFGS-B").x
    return np.concatenate([found[1:2], found[0] * prior + found[2:]])


def risks(weights: RiskWeights, program: LabelledTrace) -> Floats:
    """Returns the risk of each frame; 0 for those in the prompt."""
    coefficients = np.array(list(weights.weights.values()))
    values: Floats = 1 / (1 + np.exp(-(program.features @ coefficients + weights.bias)))
    values[:PROMPT_FRAMES] = 0.0
    return values


def folds(programs: int, count: int) -> Iterator[tuple[list[int], list[int]]]:
    """Yields the programs outside and inside of each fold, seeded."""
    fold = np.random.default_rng(0).permutation(programs) % count
    for number in range(count):
        yield np.flatnonzero(fold != number).tolist(), np.flatnonzero(fold == number).tolist()


def chosen_strengths(programs: Sequence[LabelledTrace]) -> Strengths:
    """Returns the strengths with the least logarithmic loss of failures, in cross-validation within these programs.

    Note:
        The validation of the risk calls this for each fold, so that no program has a part in the choice for itself.
    """
    losses: defaultdict[Strengths, float] = defaultdict(float)
    for train, test in folds(len(programs), INNER_FOLDS):
        for panel in PANEL_STRENGTHS:
            found = _fits([programs[at] for at in train], tuple(FEATURE_DESCRIPTIONS), panel, LABELLED_STRENGTHS)
            for labelled, weights in zip(LABELLED_STRENGTHS, found, strict=True):
                for at in test:
                    risk = program_risk(weights, programs[at])
                    right = risk if programs[at].failed else 1 - risk
                    losses[Strengths(panel, labelled)] -= np.log(max(right, 1e-12))
    return min(losses, key=lambda strengths: losses[strengths])


def fit_panel_map(programs: Sequence[LabelledTrace], strengths: Strengths = SHIPPED) -> ProgramMap:
    """Fits the map of risk and panel difficulty, to risks of programs outside the fit of the weights.

    Args:
        programs: Traces with labels; those without a difficulty are left out.
        strengths: Of the priors of the weights.
    """
    known = [program for program in programs if program.difficulty is not None]
    rows = np.full((len(known), len(FEATURES)), np.nan)
    for train, test in folds(len(known), FOLDS):
        weights = fit([known[at] for at in train], strengths=strengths)
        rows[test] = [panel_features(weights, known[at]) for at in test]
    failed = np.array([float(program.failed) for program in known])
    return fit_program_map(rows, failed, f"{len(known)} programs, {failed.sum():.0f} failures", PANEL_FEATURES)


def panel_features(weights: RiskWeights, program: LabelledTrace) -> Floats:
    """Returns the features of the map of risk and panel difficulty, at their places; the others are nan."""
    features = program_features(program.trace, program_risk(weights, program), 0, program.difficulty)
    return np.where([name in PANEL_FEATURES for name in FEATURES], features, np.nan)


def program_risk(weights: RiskWeights, program: LabelledTrace) -> float:
    """Returns the risk of a first error at any step of a program."""
    return sample_risk(map(float, risks(weights, program)))


def judged_steps(programs: Sequence[LabelledTrace]) -> tuple[Floats, NDArray[np.bool_]]:
    """Returns the features and labels of all labelled steps: float64 [steps, features] and bool [steps]."""
    chosen = [(program, frame) for program in programs for frame in program.labelled_frames]
    return (
        np.array([program.features[frame] for program, frame in chosen]),
        np.array([program.wrong == frame for program, frame in chosen]),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the weights; with --write, stores them."""
    parser = argparse.ArgumentParser(prog="python -m lab.risk.fit", description=__doc__.splitlines()[0])
    add_data_option(parser)
    parser.add_argument("--write", action="store_true", help=f"store them in {FILE.name} and {PANEL_MAP.name}")
    options = parser.parse_args(arguments)
    programs = read_labelled_traces(options.data)
    steps, wrong = judged_steps(programs)
    weights = fit(programs)
    said = f"{len(steps)} labelled steps of {len(programs)} programs, {int(wrong.sum())} of them wrong"
    known = sum(program.difficulty is not None for program in programs)
    if known:
        said += f", and a panel's failure rates on {known} programs"
    write = sys.stdout.write
    write(said + "\n")
    for name, value in sorted(weights.weights.items(), key=lambda pair: -pair[1]):
        write(f"{name:12} {value:7.3f}  {FEATURE_DESCRIPTIONS[name]}\n")
    if options.write:
        rounded = {name: round(value, 4) for name, value in weights.weights.items()}
        made_by = {"made_by": "python -m lab.risk.fit --write"}
        content = {**made_by, "made_from": said, "bias": round(weights.bias, 4), "weights": rounded}
        FILE.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        if known:
            panel_map = {**made_by, **asdict(fit_panel_map(programs))}
            PANEL_MAP.write_text(json.dumps(panel_map, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
