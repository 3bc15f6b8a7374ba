"""What the risk is worth on programs it was not fitted on: `python -m analyze.risk.validate ../shared/data`.

Repeated cross-validation over programs (each program is one cluster); every figure is of programs outside the fit. The
baselines are computed anew on the same folds, and differences are paired by program. So is what the tokenization
hazards of a step's operations (`analyze.risk.carried`) add to the features. What it does not do: choose features, or
tell causes: a feature's weight says what comes with a failure.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import mannwhitneyu  # type: ignore[import-untyped]

from analyze.risk import calibrate
from analyze.risk.carried import HAZARDS, carried
from analyze.risk.features import WORDS
from analyze.risk.fit import fit, sklearn
from analyze.risk.judged import GIVEN, Judged, read_judged
from analyze.risk.model import Weights, sample_risk
from analyze.tokens.engines import engine_for
from analyze.tokens.tokenizer import default_tokenizer

FOLDS, REPEATS, RESAMPLES = 10, 5, 1000
WITH_HAZARDS = "risk with hazards"
NEAR = 3  # "among the top three"
Floats = NDArray[np.float64]
Score = Callable[[Sequence[Judged], Sequence[Judged]], list[float]]
"""From programs to fit on and programs to score: a score for each of the latter, larger for a failure."""


@dataclass(frozen=True)
class Validation:
    """What cross-validation gave.

    failed: bool [programs]; scores: by name of the score, float64 [repeats, programs]; ranks: of the step that went
    wrong first among the steps of its trace (0: the riskiest), over failures and repeats.
    """

    failed: NDArray[np.bool_]
    scores: dict[str, Floats]
    ranks: tuple[int, ...]


def risks(weights: Weights, program: Judged) -> Floats:
    """The risk of each frame; those that the prompt gives have none."""
    coefficients = np.array(list(weights.weights.values()))
    values: Floats = 1 / (1 + np.exp(-(program.features @ coefficients + weights.bias)))
    values[:GIVEN] = 0.0
    return values


def _risk(train: Sequence[Judged], test: Sequence[Judged]) -> list[float]:
    weights = fit(train)
    return [sample_risk(map(float, risks(weights, program))) for program in test]


def _truth(program: Judged) -> str:
    return program.trace.outcome.value or ""


def _simple(program: Judged) -> list[float]:
    """Seven features of a sample that need no map of its steps."""
    truth, source = _truth(program), program.case.source
    lengths = (len(truth), len(program.case.call), len(source), len(program.trace.frames), program.trace.tokens or 0)
    return [float(truth[:1] in "'\""), *map(np.log1p, lengths), np.log1p(source.count("."))]


def _seven(train: Sequence[Judged], test: Sequence[Judged]) -> list[float]:
    scaler = sklearn("preprocessing").StandardScaler().fit([_simple(program) for program in train])
    model = sklearn("linear_model").LogisticRegression(C=0.1, max_iter=2000)
    model.fit(scaler.transform([_simple(program) for program in train]), [program.failed for program in train])
    return list(map(float, model.predict_proba(scaler.transform([_simple(program) for program in test]))[:, 1]))


SCORES: dict[str, Score] = {
    "risk": _risk,
    "output is a string": lambda _, test: [float(_truth(program)[:1] in "'\"") for program in test],
    "length of the output": lambda _, test: [float(len(_truth(program))) for program in test],
    "seven simple features": _seven,
}


def with_hazards(programs: Sequence[Judged]) -> Score:
    """The risk with the hazards that each step carries as further features of it."""
    engine = engine_for(default_tokenizer())
    further = {
        program.case.id: replace(
            program, features=np.hstack([program.features, carried(program.operations, engine).astype(np.float64)])
        )
        for program in programs
    }

    def score(train: Sequence[Judged], test: Sequence[Judged]) -> list[float]:
        weights = fit([further[program.case.id] for program in train], (*WORDS, *HAZARDS))
        return [sample_risk(map(float, risks(weights, further[program.case.id]))) for program in test]

    return score


def row_score(rows: Sequence[calibrate.Judged]) -> Score:
    """The row score of the audit's flags (`analyze.risk.calibrate`), its severities fitted on the same programs.

    A program that `rows` lack carries nothing.
    """
    by_id = {row.id: row for row in rows}

    def score(train: Sequence[Judged], test: Sequence[Judged]) -> list[float]:
        fitted_on = [by_id[program.case.id] for program in train if program.case.id in by_id]
        worths = calibrate.flags(fitted_on)
        return [
            calibrate.score(by_id[program.case.id], worths) if program.case.id in by_id else 0.0 for program in test
        ]

    return score


def validate(programs: Sequence[Judged], scores: dict[str, Score] = SCORES, repeats: int = REPEATS) -> Validation:
    """Every score on every program, from fits without it, `repeats` times with other folds."""
    failed = np.array([program.failed for program in programs])
    found = {name: np.zeros((repeats, len(programs))) for name in scores}
    ranks: list[int] = []
    for repeat in range(repeats):
        folds = sklearn("model_selection").StratifiedKFold(FOLDS, shuffle=True, random_state=repeat)
        for train, test in folds.split(np.zeros(len(programs)), failed):
            fitted_on, tried_on = [programs[at] for at in train], [programs[at] for at in test]
            for name, score in scores.items():
                found[name][repeat, test] = score(fitted_on, tried_on)
            ranks += _ranks(fit(fitted_on), tried_on)
    return Validation(failed, found, tuple(ranks))


def _ranks(weights: Weights, programs: Sequence[Judged]) -> list[int]:
    ranks = []
    for program in programs:
        if program.wrong is not None and program.wrong < len(program.features):
            values = risks(weights, program)
            ranks.append(int((values > values[program.wrong]).sum()))
    return ranks


def auroc(failed: NDArray[np.bool_], scores: Floats) -> float:
    """The mean over repeats of how often a failure scores above a success; scores: float64 [repeats, programs]."""
    above = mannwhitneyu(scores[:, failed], scores[:, ~failed], axis=1, method="asymptotic").statistic
    return float(np.mean(above) / (failed.sum() * (~failed).sum()))


def interval(
    validation: Validation, measure: Callable[[NDArray[np.bool_], NDArray[np.int64]], float]
) -> tuple[float, float]:
    """The 95 % interval of a measure over resampled programs (percentile bootstrap, seeded)."""
    rng, count = np.random.default_rng(0), len(validation.failed)
    values = []
    for _ in range(RESAMPLES):
        chosen = rng.integers(0, count, count)
        if validation.failed[chosen].any():
            values.append(measure(validation.failed[chosen], chosen))
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def gain(validation: Validation, name: str, other: str) -> tuple[float, float, float]:
    """How much larger the AUROC of one score is than another's on the same programs, with its paired interval."""
    one, two = validation.scores[name], validation.scores[other]

    def difference(failed: NDArray[np.bool_], chosen: NDArray[np.int64]) -> float:
        return auroc(failed, one[:, chosen]) - auroc(failed, two[:, chosen])

    every = np.arange(len(validation.failed))
    return difference(validation.failed, every), *interval(validation, difference)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what the risk and the baselines are worth, the ranks of the steps that went wrong, and the calibration."""
    parser = argparse.ArgumentParser(prog="python -m analyze.risk.validate", description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="folder of cruxeval_even.jsonl and cwm_failures_even.jsonl")
    data = parser.parse_args(arguments).data
    programs = read_judged(data)
    further = {"row score of the audit": row_score(calibrate.read_judged(data)), WITH_HAZARDS: with_hazards(programs)}
    validation = validate(programs, SCORES | further)
    write, failed = sys.stdout.write, validation.failed
    write(f"{len(programs)} programs, {int(failed.sum())} failures; {REPEATS} times {FOLDS}-fold, by program\n\n")
    for name, scores in validation.scores.items():
        low, high = interval(validation, partial(_auroc_of, scores))
        line = f"AUROC, {name:24} {auroc(failed, scores):.3f} [{low:.3f}, {high:.3f}]"
        if name != "risk":
            line += "   risk minus it: {:+.3f} [{:+.3f}, {:+.3f}]".format(*gain(validation, "risk", name))
        write(line + "\n")
    added, low, high = gain(validation, WITH_HAZARDS, "risk")
    write(f"\nwhat hazards add to the risk's AUROC: {added:+.3f} [{low:+.3f}, {high:+.3f}]\n")
    _write_ranks(validation.ranks)
    _write_calibration(failed, validation.scores["risk"])
    return 0


def _auroc_of(scores: Floats, failed: NDArray[np.bool_], chosen: NDArray[np.int64]) -> float:
    return auroc(failed, scores[:, chosen])


def _write_ranks(ranks: Sequence[int]) -> None:
    first, near = (float(np.mean([rank < most for rank in ranks])) for most in (1, NEAR))
    sys.stdout.write(f"\nthe step that went wrong first is the riskiest of its trace for {first:.0%} of the failures, ")
    sys.stdout.write(f"among the top {NEAR} for {near:.0%}\n")


def _write_calibration(failed: NDArray[np.bool_], scores: Floats) -> None:
    """By fifths of the predicted risk: predicted and observed shares of failures; and the Brier scores."""
    brier = sklearn("metrics").brier_score_loss
    plain = float(np.mean((failed - failed.mean()) ** 2))
    write = sys.stdout.write
    write(f"\nBrier score {np.mean([brier(failed, row) for row in scores]):.3f} (of their share alone: {plain:.3f})\n")
    write("risk predicted  observed  programs\n")
    mean = scores.mean(axis=0)
    for fifth in np.array_split(np.argsort(mean), 5):
        write(f"{mean[fifth].mean():14.1%} {failed[fifth].mean():9.1%} {len(fifth):9}\n")


if __name__ == "__main__":
    sys.exit(main())
