"""Measures the effect of each hazard on model failures and fits the severities of hazards.

    python -m lab.risk.calibrate [--write]

Hazards occur where strings are searched, edited or copied, which is hard in itself. The effect of a hazard is therefore
measured in a model of labelled steps (`lab.risk.labelled_traces`): the log-odds of a wrong step as a function of "a
string is searched", "a string is edited", the length of the longest string in the step, and the hazard, as the step's
recorded operations have it (`lab.risk.step_hazards`). The confidence interval of the odds ratio is clustered by
program, because the steps of a program are not independent. MATCH, a search without a hazard, is the reference.

The severity is 1 - 1 / odds ratio, after shrinking the log odds ratio towards 0 (a normal prior of width PRIOR_WIDTH),
and at least FLOOR. An interval that includes 1 is reported as not significant. A hazard whose steps are in fewer than
MIN_PROGRAMS programs keeps its default severity.

The flag of a whole row is reported too: the share of failures that carry it over the share of successes, with Katz's
interval. A row fails if the published failures of the 32B model list it as wrong. Rows that were cut off by the token
budget are excluded. Only the two files in DATA are used, and an association is no proof of a cause.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analyze.auditing.audit import AuditScope, audit_chunks
from analyze.hazards.base import all_hazards
from analyze.hazards.severity import FILE, HazardEffect
from analyze.risk.map_validation import weighted_auroc
from analyze.tokens.engines import engine_for
from analyze.tokens.tokenizer import default_tokenizer
from corpora.dataset import Row, read_rows
from corpora.reading.optional_packages import require_package
from lab.published_data import add_data_option
from lab.risk import labelled_traces
from lab.risk.step_hazards import HAZARDS, step_hazards, string_work

PRIOR_WIDTH = 0.5
FLOOR = 0.05
MIN_PROGRAMS = 10
WIDE = 2.5
REFERENCE = "MATCH"
NORMAL_95 = 1.959964
FOLDS = 10
RESAMPLES = 1000


@dataclass(frozen=True)
class LabelledRow:
    """A row with its label: whether the model failed on it, and the hazards in it."""

    id: str
    failed: bool
    hazards: frozenset[str]


def read_labelled_rows(data: Path) -> list[LabelledRow]:
    """Reads the rows of the two files in `data`. Raises InputError if one is missing."""
    failures = labelled_traces.published_failures(data, "status")
    rows = [row for row in read_rows(data / "cruxeval_even.jsonl") if isinstance(row, Row)]
    kept = [row for row in rows if failures.get(str(row.fields["id"])) != "truncated"]
    found_hazards: dict[int, set[str]] = {row.number: set() for row in kept}
    scope = AuditScope((engine_for(default_tokenizer()),), least=0.0)
    for findings, _ in audit_chunks(kept, scope):
        for finding in findings:
            found_hazards[finding.row].add(finding.hazard)
    return [
        LabelledRow(str(row.fields["id"]), str(row.fields["id"]) in failures, frozenset(found_hazards[row.number]))
        for row in kept
    ]


def flag_effect(rows: Sequence[LabelledRow], name: str) -> HazardEffect | None:
    """Returns the effect of a row's flag, with a severity from the ratio; None if too few rows carry it."""
    failures = [row for row in rows if row.failed]
    successes = [row for row in rows if not row.failed]
    carried = sum(name in row.hazards for row in failures)
    innocent = sum(name in row.hazards for row in successes)
    if carried + innocent < MIN_PROGRAMS:
        return None
    ratio, low, high, severity = _rounded(name, *risk_ratio(carried, len(failures), innocent, len(successes)))
    return HazardEffect(carried, innocent, ratio, low, high, severity)


def _rounded(name: str, ratio: float, spread: float) -> list[float]:
    """Returns a hazard's ratio, its 95 % confidence interval (low, high), and the severity that follows from it."""
    low, high = (ratio * math.exp(sign * NORMAL_95 * spread) for sign in (-1, 1))
    severity = 0.0 if name == REFERENCE else severity_of(ratio, spread)
    return [round(number, 3) for number in (ratio, low, high, severity)]


def risk_ratio(carried: int, failures: int, innocent: int, successes: int) -> tuple[float, float]:
    """Returns the ratio of the two shares and the standard error of its logarithm.

    Half a row is added if a count is 0.
    """
    extra = 0.5 if not carried or not innocent else 0.0
    a, b = carried + extra, innocent + extra
    n, m = failures + extra, successes + extra
    return (a / n) / (b / m), math.sqrt(max(1 / a - 1 / n + 1 / b - 1 / m, 1e-9))


def severity_of(ratio: float, spread: float) -> float:
    """Returns 1 - 1 / ratio for the shrunk ratio, and at least FLOOR, so that no hazard is reported as harmless.

    >>> round(severity_of(2.0, 0.0), 2), severity_of(0.5, 0.1)
    (0.5, 0.05)
    """
    shrunk = math.log(ratio) * PRIOR_WIDTH**2 / (PRIOR_WIDTH**2 + spread**2)
    return max(FLOOR, 1 - math.exp(-shrunk))


def flag_effects(rows: Sequence[LabelledRow]) -> dict[str, HazardEffect]:
    """Returns the effect of each flag that enough rows carry, by hazard."""
    found = {kind.name: flag_effect(rows, kind.name) for kind in all_hazards()}
    return {name: value for name, value in found.items() if value is not None}


def fit(rows: Sequence[LabelledRow], steps: LabelledSteps) -> dict[str, HazardEffect]:
    """Returns the effects of the hazards that steps of enough programs carry: shares of the flag, and odds ratios."""
    found = {}
    for name, value in flag_effects(rows).items():
        added = hazard_odds_ratio(steps, name)
        if added is not None:
            odds, low, high, severity = _rounded(name, *added)
            found[name] = replace(value, severity=severity, odds=odds, odds_low=low, odds_high=high)
    return found


@dataclass(frozen=True)
class LabelledSteps:
    """Labelled steps.

    Attributes:
        covariates: float64 [steps, 3]; whether a string is searched, whether one is edited, and log(1 + the length of
            the longest string).
        hazards: bool [steps, HAZARDS].
        wrong: bool [steps].
        programs: int64 [steps]; the program that the step belongs to.
    """

    covariates: NDArray[np.float64]
    hazards: NDArray[np.bool_]
    wrong: NDArray[np.bool_]
    programs: NDArray[np.int64]


def read_labelled_steps(data: Path) -> LabelledSteps:
    """Reads the labelled steps of the two files in `data`. Raises InputError if one is missing."""
    covariates, hazards, wrong, programs = [], [], [], []
    engine = engine_for(default_tokenizer())
    for number, program in enumerate(labelled_traces.read_labelled_traces(data)):
        hazards_of = step_hazards(program.operations, engine)
        for frame in program.labelled_frames:
            searched, edited, longest = string_work(program.operations[frame])
            covariates.append((float(searched), float(edited), math.log1p(longest)))
            hazards.append(hazards_of[frame])
            wrong.append(program.wrong == frame)
            programs.append(number)
    return LabelledSteps(np.array(covariates), np.array(hazards), np.array(wrong), np.array(programs))


def hazard_odds_ratio(steps: LabelledSteps, name: str) -> tuple[float, float] | None:
    """Returns the odds ratio of a hazard, adjusted for the covariates, and the standard error of its logarithm.

    Returns None if fewer than MIN_PROGRAMS programs have steps with the hazard.

    Note:
        Logistic regression with a wide normal prior (WIDE) on its coefficients, so that a hazard without a failure has
            a finite one. The error is the sandwich estimate with programs as clusters (Liang and Zeger 1986).
    """
    carries = steps.hazards[:, HAZARDS.index(name)]
    if len(set(steps.programs[carries])) < MIN_PROGRAMS:
        return None
    columns = np.column_stack([steps.covariates, carries])
    regression = require_package("sklearn.linear_model", "fit").LogisticRegression(C=WIDE**2, max_iter=2000)
    model = regression.fit(columns, steps.wrong)
    design = np.column_stack([np.ones(len(columns)), columns])
    risk = model.predict_proba(columns)[:, 1]
    prior = np.diag([0.0, *[1 / WIDE**2] * columns.shape[1]])
    bread = np.linalg.inv(design.T @ (design * (risk * (1 - risk))[:, None]) + prior)
    scores = np.zeros((int(steps.programs.max()) + 1, design.shape[1]))
    np.add.at(scores, steps.programs, design * (steps.wrong - risk)[:, None])
    # A hazard with no failures, or with failures only, has a tiny score: then the model's own error is larger.
    spread = max(float((bread @ scores.T @ scores @ bread)[-1, -1]), float(bread[-1, -1]))
    return math.exp(float(model.coef_[0][-1])), math.sqrt(spread)


def row_score(row: LabelledRow, fitted: Mapping[str, HazardEffect]) -> float:
    """Returns the row's risk if its hazards acted independently: 1 - Π(1 - severity)."""
    return 1 - math.prod(1 - fitted[name].severity for name in row.hazards if name in fitted)


def auroc(scores: Sequence[float], failed: Sequence[bool]) -> float:
    """Returns how often a failure scores above a success; ties count half."""
    return weighted_auroc(np.array(failed, dtype=np.float64), np.array(scores))


def cross_validated(rows: Sequence[LabelledRow]) -> list[float]:
    """Returns each row's score under severities that were fitted without its fold, in the order of the rows."""
    order = list(range(len(rows)))
    random.Random(0).shuffle(order)
    scores = [0.0] * len(rows)
    for fold in range(FOLDS):
        held = set(order[fold::FOLDS])
        fitted = flag_effects([row for at, row in enumerate(rows) if at not in held])
        for at in held:
            scores[at] = row_score(rows[at], fitted)
    return scores


def confidence_interval(
    scores: Sequence[float], failed: Sequence[bool], programs: Sequence[str] | None = None
) -> tuple[float, float]:
    """Returns the 95 % confidence interval of the AUROC over resampled programs.

    Args:
        scores: Of each row.
        failed: Whether the program of each row failed.
        programs: The program of each row; None if each row is one of its own.
    """
    members: dict[object, list[int]] = {}
    for at, program in enumerate(programs or range(len(scores))):
        members.setdefault(program, []).append(at)
    groups, rng, values = list(members.values()), random.Random(0), []
    for _ in range(RESAMPLES):
        picked = [at for group in rng.choices(groups, k=len(groups)) for at in group]
        if len({failed[at] for at in picked}) > 1:
            values.append(auroc([scores[at] for at in picked], [failed[at] for at in picked]))
    values.sort()
    return values[len(values) * 25 // 1000], values[len(values) * 975 // 1000 - 1]


def main(arguments: Sequence[str]) -> int:
    """Prints the table and the cross-validated AUROC of the row score; with --write, stores the severities."""
    parser = argparse.ArgumentParser(prog="python -m lab.risk.calibrate", description=__doc__.splitlines()[0])
    add_data_option(parser)
    parser.add_argument("--write", action="store_true", help="store the severities")
    options = parser.parse_args(arguments)
    rows = read_labelled_rows(options.data)
    failed = [row.failed for row in rows]
    steps = read_labelled_steps(options.data)
    fitted = fit(rows, steps)
    write = sys.stdout.write
    write(f"{sum(failed)} failures, {len(rows) - sum(failed)} successes; ")
    write(f"{len(steps.wrong)} labelled steps, {int(steps.wrong.sum())} of them wrong\n")
    write(f"{'hazard':14}{'failures':>9}{'successes':>10}{'ratio':>7}  {'interval':16}")
    write(f"{'odds ratio':>12}  {'interval':16}{'severity':>9}\n")
    for name, value in sorted(fitted.items(), key=lambda entry: -entry[1].odds):
        span, added = f"[{value.low:.2f}, {value.high:.2f}]", f"[{value.odds_low:.2f}, {value.odds_high:.2f}]"
        write(f"{name:14}{value.failures:9}{value.successes:10}{value.ratio:7.2f}  {span:16}")
        note = "" if value.is_significant else "  not significant"
        write(f"{value.odds:12.2f}  {added:16}{value.severity:9.2f}{note}\n")
    unmeasured = [kind.name for kind in all_hazards() if kind.name not in fitted]
    write(f"not measured (fewer than {MIN_PROGRAMS} programs): {', '.join(unmeasured) or 'none'}\n")
    scores = cross_validated(rows)
    low, high = confidence_interval(scores, failed)
    write(f"AUROC of the row score of the flags, {FOLDS}-fold: {auroc(scores, failed):.3f} [{low:.3f}, {high:.3f}]\n")
    naive = [float("ABSENT" in row.hazards) for row in rows]
    low, high = confidence_interval(naive, failed)
    write(f"AUROC of the flag ABSENT alone: {auroc(naive, failed):.3f} [{low:.3f}, {high:.3f}]\n")
    if options.write:
        hazards = {name: asdict(value) for name, value in sorted(fitted.items())}
        content = {"made_by": "python -m lab.risk.calibrate --write", "hazards": hazards}
        FILE.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        write(f"written to {FILE.name}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
