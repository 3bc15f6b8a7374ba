"""Measures how well the risk predicts failures of unseen programs: `python -m lab.risk.validate`.

Repeated nested cross-validation over programs (each program is one cluster): every figure is of programs outside the
fit, and outside the choice of the priors' strengths. The baselines are fitted on the same folds, and differences are
paired by program. The command also measures what the tokenization hazards of a step's operations
(`lab.risk.step_hazards`) add to the features. Weights describe associations with failures, not causes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest, mannwhitneyu  # type: ignore[import-untyped]

from analyze.risk.features import FEATURE_DESCRIPTIONS
from analyze.risk.risk_model import RiskWeights
from analyze.tokens.engines import engine_for
from analyze.tokens.tokenizer import default_tokenizer
from corpora.reading.optional_packages import require_package
from lab.published_data import add_data_option
from lab.risk import calibrate
from lab.risk.fit import Strengths, chosen_strengths, fit, fit_panel_map, panel_features, program_risk, risks
from lab.risk.labelled_traces import LabelledTrace, read_labelled_traces
from lab.risk.step_hazards import HAZARDS, step_hazards

FOLDS, REPEATS, RESAMPLES = 10, 5, 1000
WITH_HAZARDS = "risk with hazards"
WITH_PANEL = "risk with panel"
NEAR = 3  # the rank reported as "among the top 3"
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Training:
    """The programs to fit on, and what several scores fit on them."""

    programs: Sequence[LabelledTrace]

    @cached_property
    def strengths(self) -> Strengths:
        """The strengths of the priors, chosen on these programs alone."""
        return chosen_strengths(self.programs)

    @cached_property
    def weights(self) -> RiskWeights:
        """The weights of the risk."""
        return fit(self.programs, strengths=self.strengths)


Score = Callable[[Training, Sequence[LabelledTrace]], list[float]]
"""From programs to fit on and programs to score: a score for each of the latter, larger for a likelier failure."""


@dataclass(frozen=True)
class Validation:
    """Results of the cross-validation.

    Attributes:
        failed: bool [programs].
        scores: By name of the score, float64 [repeats, programs].
        ranks: Rank of the first wrong step among the steps of its trace (0: the riskiest), over failures and repeats.
    """

    failed: NDArray[np.bool_]
    scores: dict[str, Floats]
    ranks: tuple[int, ...]


def _risk(train: Training, test: Sequence[LabelledTrace]) -> list[float]:
    return [program_risk(train.weights, program) for program in test]


def _truth(program: LabelledTrace) -> str:
    return program.trace.outcome.value or ""


def _simple(program: LabelledTrace) -> list[float]:
    """Returns seven features of a program that do not depend on its steps."""
    truth, source = _truth(program), program.case.source
    lengths = (len(truth), len(program.case.call), len(source), len(program.trace.frames), program.trace.tokens or 0)
    return [float(truth[:1] in "'\""), *map(np.log1p, lengths), np.log1p(source.count("."))]


def _seven(train: Training, test: Sequence[LabelledTrace]) -> list[float]:
    known = [_simple(program) for program in train.programs]
    scaler = require_package("sklearn.preprocessing", "fit").StandardScaler().fit(known)
    model = require_package("sklearn.linear_model", "fit").LogisticRegression(C=0.1, max_iter=2000)
    model.fit(scaler.transform(known), [program.failed for program in train.programs])
    return list(map(float, model.predict_proba(scaler.transform([_simple(program) for program in test]))[:, 1]))


def _risk_with_panel(train: Training, test: Sequence[LabelledTrace]) -> list[float]:
    """Returns the risk by the map with panel difficulty, whose inner risks are cross-validated within `train`."""
    panel_map = fit_panel_map(train.programs, train.strengths)
    return [panel_map.risk(panel_features(train.weights, program).tolist()) for program in test]


SCORES: dict[str, Score] = {
    "risk": _risk,
    WITH_PANEL: _risk_with_panel,
    "panel difficulty": lambda _, test: [program.difficulty or 0.0 for program in test],
    "output is a string": lambda _, test: [float(_truth(program)[:1] in "'\"") for program in test],
    "length of the output": lambda _, test: [float(len(_truth(program))) for program in test],
    "seven simple features": _seven,
}


def with_hazards(programs: Sequence[LabelledTrace]) -> Score:
    """Returns the risk with the hazards of each step as further features."""
    engine = engine_for(default_tokenizer())
    further = {}
    for program in programs:
        hazards = step_hazards(program.operations, engine).astype(np.float64)
        further[program.case.id] = replace(program, features=np.hstack([program.features, hazards]))

    def score(train: Training, test: Sequence[LabelledTrace]) -> list[float]:
        known = [further[program.case.id] for program in train.programs]
        weights = fit(known, (*FEATURE_DESCRIPTIONS, *HAZARDS), train.strengths)
        return [program_risk(weights, further[program.case.id]) for program in test]

    return score


def row_score(rows: Sequence[calibrate.LabelledRow]) -> Score:
    """Returns the row score of the audit's flags (`lab.risk.calibrate`), fitted on the training programs.

    A program that is missing in `rows` has no hazards.
    """
    by_id = {row.id: row for row in rows}

    def score(train: Training, test: Sequence[LabelledTrace]) -> list[float]:
        worths = calibrate.flag_effects([by_id[one.case.id] for one in train.programs if one.case.id in by_id])
        return [calibrate.row_score(by_id[one.case.id], worths) if one.case.id in by_id else 0.0 for one in test]

    return score


def validate(
    programs: Sequence[LabelledTrace], scores: dict[str, Score] = SCORES, repeats: int = REPEATS
) -> Validation:
    """Computes every score on every program, from fits without it, `repeats` times with different folds."""
    failed = np.array([program.failed for program in programs])
    found = {name: np.zeros((repeats, len(programs))) for name in scores}
    ranks: list[int] = []
    for repeat in range(repeats):
        splitter = require_package("sklearn.model_selection", "fit").StratifiedKFold
        folds = splitter(FOLDS, shuffle=True, random_state=repeat)
        for train, test in folds.split(np.zeros(len(programs)), failed):
            fitted_on, tried_on = Training([programs[at] for at in train]), [programs[at] for at in test]
            for name, score in scores.items():
                found[name][repeat, test] = score(fitted_on, tried_on)
            ranks += _ranks(fitted_on.weights, tried_on)
    return Validation(failed, found, tuple(ranks))


def _ranks(weights: RiskWeights, programs: Sequence[LabelledTrace]) -> list[int]:
    ranks = []
    for program in programs:
        if program.wrong is not None and program.wrong < len(program.features):
            values = risks(weights, program)
            ranks.append(int((values > values[program.wrong]).sum()))
    return ranks


def auroc(failed: NDArray[np.bool_], scores: Floats) -> float:
    """Returns how often a failure scores above a success, averaged over repeats.

    Args:
        failed: bool [programs].
        scores: float64 [repeats, programs].
    """
    above = mannwhitneyu(scores[:, failed], scores[:, ~failed], axis=1, method="asymptotic").statistic
    return float(np.mean(above) / (failed.sum() * (~failed).sum()))


def confidence_interval(
    validation: Validation, measure: Callable[[NDArray[np.bool_], NDArray[np.int64]], float]
) -> tuple[float, float]:
    """Returns the 95 % confidence interval of a measure over resampled programs (percentile bootstrap, seeded)."""
    rng, count = np.random.default_rng(0), len(validation.failed)
    values = []
    for _ in range(RESAMPLES):
        chosen = rng.integers(0, count, count)
        if validation.failed[chosen].any():
            values.append(measure(validation.failed[chosen], chosen))
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def auroc_gain(validation: Validation, name: str, other: str) -> tuple[float, float, float]:
    """Returns the difference of the AUROCs of two scores on the same programs, with its paired confidence interval."""
    one, two = validation.scores[name], validation.scores[other]

    def difference(failed: NDArray[np.bool_], chosen: NDArray[np.int64]) -> float:
        return auroc(failed, one[:, chosen]) - auroc(failed, two[:, chosen])

    every = np.arange(len(validation.failed))
    return difference(validation.failed, every), *confidence_interval(validation, difference)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the AUROC of the risk and the baselines, the ranks of the steps that went wrong, and the calibration."""
    parser = argparse.ArgumentParser(prog="python -m lab.risk.validate", description=__doc__.splitlines()[0])
    add_data_option(parser)
    data = parser.parse_args(arguments).data
    programs = read_labelled_traces(data)
    further = {
        "row score of the audit": row_score(calibrate.read_labelled_rows(data)),
        WITH_HAZARDS: with_hazards(programs),
    }
    validation = validate(programs, SCORES | further)
    write, failed = sys.stdout.write, validation.failed
    write(f"{len(programs)} programs, {int(failed.sum())} failures; {REPEATS} times {FOLDS}-fold, by program\n\n")
    for name, scores in validation.scores.items():
        low, high = confidence_interval(validation, partial(_auroc_of, scores))
        line = f"AUROC, {name:24} {auroc(failed, scores):.3f} [{low:.3f}, {high:.3f}]"
        if name != "risk":
            line += "   risk advantage: {:+.3f} [{:+.3f}, {:+.3f}]".format(*auroc_gain(validation, "risk", name))
        write(line + "\n")
    added, low, high = auroc_gain(validation, WITH_HAZARDS, "risk")
    write(f"\ngain in AUROC from hazards: {added:+.3f} [{low:+.3f}, {high:+.3f}]\n")
    _write_ranks(validation.ranks)
    for name in ("risk", WITH_PANEL):
        _write_calibration(name, failed, validation.scores[name])
    return 0


def _auroc_of(scores: Floats, failed: NDArray[np.bool_], chosen: NDArray[np.int64]) -> float:
    return auroc(failed, scores[:, chosen])


def _write_ranks(ranks: Sequence[int]) -> None:
    first, near = (float(np.mean([rank < most for rank in ranks])) for most in (1, NEAR))
    sys.stdout.write(f"\nthe step that went wrong first is the riskiest of its trace for {first:.0%} of the failures, ")
    sys.stdout.write(f"among the top {NEAR} for {near:.0%}\n")


def _write_calibration(name: str, failed: NDArray[np.bool_], scores: Floats) -> None:
    """Prints expected and observed failures, in total and by quarters of the predicted risk, and Brier scores."""
    brier = require_package("sklearn.metrics", "fit").brier_score_loss
    plain = float(np.mean((failed - failed.mean()) ** 2))
    write, mean = sys.stdout.write, scores.mean(axis=0)
    write(f"\n{name}: Brier score {np.mean([brier(failed, row) for row in scores]):.3f} (constant: {plain:.3f})\n")
    write("programs  expected failures  observed, with 95 % interval\n")
    for part in (*np.array_split(np.argsort(mean), 4), np.arange(len(mean))):
        low, high = _binomial_interval(int(failed[part].sum()), len(part))
        observed = f"{failed[part].sum():8} [{low * len(part):.0f}, {high * len(part):.0f}]"
        write(f"{len(part):8}  {mean[part].sum():17.1f}  {observed}\n")


def _binomial_interval(count: int, of: int) -> tuple[float, float]:
    """Returns the 95 % confidence interval of a share (Wilson 1927)."""
    found = binomtest(count, of).proportion_ci(method="wilson")
    return float(found.low), float(found.high)


if __name__ == "__main__":
    sys.exit(main())
