"""What each hazard adds to a failure beside what comes with it, and the severities fitted from that.

    python -m analyze.risk.calibrate ../shared/data [--write]

A hazard stands where a text is searched or edited, and where much is copied, and these are hard by themselves. So a
hazard's worth is what it adds in a model of judged steps (`analyze.risk.judged`): the log-odds of a wrong step over "a
text is searched here", "a text is edited here", the length of the longest text in the step, and the hazard, as a step's
recorded operations carry it (`analyze.risk.carried`). The odds ratio has an interval by programs (their steps are not
independent); MATCH is the reference: a search that nothing stands in the way of. The severity is 1 - 1 / odds ratio
after its logarithm was drawn towards 0 (a normal prior of width PRIOR_WIDTH), and not below FLOOR. Where the interval
holds 1, nothing is shown to be added, and it says so. A hazard whose steps stand in fewer than LEAST_ROWS programs
keeps the severity to start from.

Beside it, the flag of a whole row: the share of failures that carry it over the share of successes, with Katz's
interval. A row fails where the published failures of the 32B model list it as wrong (those cut off by the budget are
left out). What this module does not do: learn from anything but those two files, or tell causes.
"""

from __future__ import annotations

import json
import math
import random
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analyze.auditing.audit import Scope, audit_chunks
from analyze.hazards.base import all_hazards
from analyze.hazards.severity import FILE, HazardEffect
from analyze.risk import judged
from analyze.risk.carried import HAZARDS, carried, edits, searches
from analyze.risk.fit import sklearn
from analyze.tokens.engines import engine_for
from analyze.tokens.tokenizer import default_tokenizer
from corpora.dataset import Row, read_rows

PRIOR_WIDTH = 0.5
FLOOR = 0.05
LEAST_ROWS = 5
WIDE = 2.5
REFERENCE = "MATCH"
NORMAL_95 = 1.959964
FOLDS = 10
RESAMPLES = 1000


@dataclass(frozen=True)
class Judged:
    """A row: whether the model failed on it, and the hazards it carries."""

    id: str
    failed: bool
    hazards: frozenset[str]


def read_judged(data: Path) -> list[Judged]:
    """The rows of the two files in `data`. Raises InputError where one is missing."""
    failures = {
        str(row.fields["id"]): str(row.fields["status"])
        for row in read_rows(data / "cwm_failures_even.jsonl")
        if isinstance(row, Row) and row.fields["benchmark"] == "cruxeval"
    }
    rows = [row for row in read_rows(data / "cruxeval_even.jsonl") if isinstance(row, Row)]
    kept = [row for row in rows if failures.get(str(row.fields["id"])) != "truncated"]
    standing: dict[int, set[str]] = {row.number: set() for row in kept}
    scope = Scope((engine_for(default_tokenizer()),), least=0.0)
    for findings, _ in audit_chunks(kept, scope):
        for finding in findings:
            standing[finding.row].add(finding.hazard)
    return [
        Judged(str(row.fields["id"]), str(row.fields["id"]) in failures, frozenset(standing[row.number]))
        for row in kept
    ]


def worth(rows: Sequence[Judged], name: str) -> HazardEffect | None:
    """What the flag of a row was worth on these rows, its severity from the ratio; None where too few carry it."""
    failures = [row for row in rows if row.failed]
    successes = [row for row in rows if not row.failed]
    carried = sum(name in row.hazards for row in failures)
    innocent = sum(name in row.hazards for row in successes)
    if carried + innocent < LEAST_ROWS:
        return None
    ratio, spread = risk_ratio(carried, len(failures), innocent, len(successes))
    severity = 0.0 if name == REFERENCE else severity_of(ratio, spread)
    low, high = (ratio * math.exp(sign * NORMAL_95 * spread) for sign in (-1, 1))
    return HazardEffect(carried, innocent, round(ratio, 3), round(low, 3), round(high, 3), round(severity, 3))


def risk_ratio(carried: int, failures: int, innocent: int, successes: int) -> tuple[float, float]:
    """The ratio of the two shares, and the standard error of its logarithm; half a row is added where a count is 0."""
    extra = 0.5 if not carried or not innocent else 0.0
    a, b = carried + extra, innocent + extra
    n, m = failures + extra, successes + extra
    return (a / n) / (b / m), math.sqrt(max(1 / a - 1 / n + 1 / b - 1 / m, 1e-9))


def severity_of(ratio: float, spread: float) -> float:
    """1 - 1 / ratio, of the shrunk ratio; never below FLOOR, so that no hazard is called harmless.

    >>> round(severity_of(2.0, 0.0), 2), severity_of(0.5, 0.1)
    (0.5, 0.05)
    """
    shrunk = math.log(ratio) * PRIOR_WIDTH**2 / (PRIOR_WIDTH**2 + spread**2)
    return max(FLOOR, 1 - math.exp(-shrunk))


def flags(rows: Sequence[Judged]) -> dict[str, HazardEffect]:
    """By hazard, what the flag of a row is worth, of those that enough rows carry."""
    found = {kind.name: worth(rows, kind.name) for kind in all_hazards()}
    return {name: value for name, value in found.items() if value is not None}


def fit(rows: Sequence[Judged], steps: Steps) -> dict[str, HazardEffect]:
    """By hazard, those that steps of enough programs carry: the flag's shares, and what the hazard adds."""
    found = {}
    for name, value in flags(rows).items():
        added = adds(steps, name)
        if added is not None:
            odds, spread = added
            low, high = (odds * math.exp(sign * NORMAL_95 * spread) for sign in (-1, 1))
            severity = 0.0 if name == REFERENCE else severity_of(odds, spread)
            found[name] = replace(
                value,
                severity=round(severity, 3),
                odds=round(odds, 3),
                odds_low=round(low, 3),
                odds_high=round(high, 3),
            )
    return found


@dataclass(frozen=True)
class Steps:
    """Judged steps.

    beside: float64 [steps, 3], whether a text is searched, whether one is edited, and log(1 + the length of the longest
    text); hazards: bool [steps, HAZARDS]; wrong: bool [steps]; programs: int64 [steps], whose step it is.
    """

    beside: NDArray[np.float64]
    hazards: NDArray[np.bool_]
    wrong: NDArray[np.bool_]
    programs: NDArray[np.int64]


def read_steps(data: Path) -> Steps:
    """The judged steps of the two files in `data`. Raises InputError where one is missing."""
    beside, hazards, wrong, programs = [], [], [], []
    engine = engine_for(default_tokenizer())
    for number, program in enumerate(judged.read_judged(data)):
        stands = carried(program.operations, engine)
        for frame in program.seen:
            made = program.operations[frame]
            lengths = [part.length for one in made for part in (*one.operands, one.result) if part.type == "str"]
            done = (float(any(map(searches, made))), float(any(map(edits, made))))
            beside.append((*done, math.log1p(max(lengths, default=0))))
            hazards.append(stands[frame])
            wrong.append(program.wrong == frame)
            programs.append(number)
    return Steps(np.array(beside), np.array(hazards), np.array(wrong), np.array(programs))


def adds(steps: Steps, name: str) -> tuple[float, float] | None:
    """The odds ratio of a hazard beside search, edit and length, and the standard error of its logarithm.

    None where the steps that carry it stand in fewer than LEAST_ROWS programs.

    Logistic regression, with a wide normal prior (WIDE) on its coefficients so that a hazard without a failure has a
    finite one; the error is the sandwich estimate with programs as clusters (Liang and Zeger 1986).
    """
    carries = steps.hazards[:, HAZARDS.index(name)]
    if len(set(steps.programs[carries])) < LEAST_ROWS:
        return None
    columns = np.column_stack([steps.beside, carries])
    model = sklearn("linear_model").LogisticRegression(C=WIDE**2, max_iter=2000).fit(columns, steps.wrong)
    design = np.column_stack([np.ones(len(columns)), columns])
    risk = model.predict_proba(columns)[:, 1]
    prior = np.diag([0.0, *[1 / WIDE**2] * columns.shape[1]])
    bread = np.linalg.inv(design.T @ (design * (risk * (1 - risk))[:, None]) + prior)
    scores = np.zeros((int(steps.programs.max()) + 1, design.shape[1]))
    np.add.at(scores, steps.programs, design * (steps.wrong - risk)[:, None])
    # A hazard with no failure, or nothing but failures, has hardly a score: then the model's own error is the larger.
    spread = max(float((bread @ scores.T @ scores @ bread)[-1, -1]), float(bread[-1, -1]))
    return math.exp(float(model.coef_[0][-1])), math.sqrt(spread)


def score(row: Judged, fitted: Mapping[str, HazardEffect]) -> float:
    """The row's risk if its hazards acted one by one: 1 - the product of (1 - severity)."""
    return 1 - math.prod(1 - fitted[name].severity for name in row.hazards if name in fitted)


def auroc(scores: Sequence[float], failed: Sequence[bool]) -> float:
    """How often a failure scores above a success, ties counted half."""
    bad = sorted(value for value, wrong in zip(scores, failed, strict=True) if wrong)
    good = sorted(value for value, wrong in zip(scores, failed, strict=True) if not wrong)
    wins = sum((bisect_left(good, value) + bisect_right(good, value)) / 2 for value in bad)
    return wins / (len(bad) * len(good))


def cross_validated(rows: Sequence[Judged], seed: int = 0) -> list[float]:
    """Each row's score under severities of the flags, fitted without its fold, in the order of the rows."""
    order = list(range(len(rows)))
    random.Random(seed).shuffle(order)
    scores = [0.0] * len(rows)
    for fold in range(FOLDS):
        held = set(order[fold::FOLDS])
        fitted = flags([row for at, row in enumerate(rows) if at not in held])
        for at in held:
            scores[at] = score(rows[at], fitted)
    return scores


def interval(scores: Sequence[float], failed: Sequence[bool], seed: int = 0) -> tuple[float, float]:
    """The 95 % interval of the AUROC over resampled programs (each row is one program)."""
    rng = random.Random(seed)
    values = []
    for _ in range(RESAMPLES):
        picked = rng.choices(range(len(scores)), k=len(scores))
        if any(failed[at] for at in picked):
            values.append(auroc([scores[at] for at in picked], [failed[at] for at in picked]))
    values.sort()
    return values[len(values) * 25 // 1000], values[len(values) * 975 // 1000 - 1]


def main(arguments: Sequence[str]) -> int:
    """Print the table and the AUROC of the score on rows it was not fitted on; with --write keep the severities."""
    data = Path(next((argument for argument in arguments if not argument.startswith("-")), "../shared/data"))
    rows = read_judged(data)
    failed = [row.failed for row in rows]
    steps = read_steps(data)
    fitted = fit(rows, steps)
    write = sys.stdout.write
    write(f"{sum(failed)} failures, {len(rows) - sum(failed)} successes; ")
    write(f"{len(steps.wrong)} judged steps, {int(steps.wrong.sum())} of them wrong\n")
    write(f"{'hazard':14}{'failures':>9}{'successes':>10}{'ratio':>7}  {'interval':16}")
    write(f"{'adds (odds)':>12}  {'interval':16}{'severity':>9}\n")
    for name, value in sorted(fitted.items(), key=lambda entry: -entry[1].odds):
        span, added = f"[{value.low:.2f}, {value.high:.2f}]", f"[{value.odds_low:.2f}, {value.odds_high:.2f}]"
        write(f"{name:14}{value.failures:9}{value.successes:10}{value.ratio:7.2f}  {span:16}")
        note = "" if value.is_significant else "  not significant"
        write(f"{value.odds:12.2f}  {added:16}{value.severity:9.2f}{note}\n")
    unmeasured = [kind.name for kind in all_hazards() if kind.name not in fitted]
    write(f"not measured (fewer than {LEAST_ROWS} programs): {', '.join(unmeasured) or 'none'}\n")
    scores = cross_validated(rows)
    low, high = interval(scores, failed)
    write(f"AUROC of the row score of the flags, {FOLDS}-fold: {auroc(scores, failed):.3f} [{low:.3f}, {high:.3f}]\n")
    naive = [float("ABSENT" in row.hazards) for row in rows]
    low, high = interval(naive, failed)
    write(f"AUROC of the flag ABSENT alone: {auroc(naive, failed):.3f} [{low:.3f}, {high:.3f}]\n")
    if "--write" in arguments:
        hazards = {name: asdict(value) for name, value in sorted(fitted.items())}
        content = {"made_by": "python -m analyze.risk.calibrate DATA --write", "hazards": hazards}
        FILE.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        write(f"written to {FILE.name}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
