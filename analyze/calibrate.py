"""What each hazard is worth as a flag on real failures, and the severities fitted from it.

    python -m analyze.calibrate ../shared/data [--write]

The rows are the even CruxEval samples; a row fails where the published failures of the 32B code world model list it
as wrong (those that were cut off by the token budget are left out of both sides). A row carries a hazard where it
stands anywhere in the row, in the trace context. The ratio is the share of failures that carry it over the share of
successes, with Katz's interval; the severity is 1 - 1 / ratio after the logarithm of the ratio was drawn towards 0 (a
normal prior of width PRIOR_WIDTH), and not below FLOOR. A hazard carried by fewer than LEAST_ROWS rows keeps the
severity to start from and is not called measured. What it does not do: learn from anything but those two files, or
part what a hazard does from what comes with it: MATCH, the harmless class, stands in failures more often too, for
they search strings more.
"""

from __future__ import annotations

import json
import math
import random
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from analyze.auditing import Scope, audit_chunks
from analyze.engines import engine_for
from analyze.hazard import all_hazards
from analyze.severity import FILE, Worth
from analyze.tokenizer import default_tokenizer
from corpora.dataset import Row, read_rows

PRIOR_WIDTH = 0.5
FLOOR = 0.05
LEAST_ROWS = 5
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
    carried: dict[int, set[str]] = {row.number: set() for row in kept}
    scope = Scope((engine_for(default_tokenizer()),), least=0.0)
    for findings, _ in audit_chunks(kept, scope):
        for finding in findings:
            carried[finding.row].add(finding.hazard)
    return [
        Judged(str(row.fields["id"]), str(row.fields["id"]) in failures, frozenset(carried[row.number])) for row in kept
    ]


def worth(rows: Sequence[Judged], name: str) -> Worth | None:
    """What the hazard was worth on these rows; None where too few carry it."""
    failures = [row for row in rows if row.failed]
    successes = [row for row in rows if not row.failed]
    carried = sum(name in row.hazards for row in failures)
    innocent = sum(name in row.hazards for row in successes)
    if carried + innocent < LEAST_ROWS:
        return None
    ratio, spread = risk_ratio(carried, len(failures), innocent, len(successes))
    severity = 0.0 if name == "MATCH" else severity_of(ratio, spread)
    low, high = (ratio * math.exp(sign * NORMAL_95 * spread) for sign in (-1, 1))
    return Worth(carried, innocent, round(ratio, 3), round(low, 3), round(high, 3), round(severity, 3))


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


def fit(rows: Sequence[Judged]) -> dict[str, Worth]:
    """By hazard, those that enough rows carry."""
    found = {kind.name: worth(rows, kind.name) for kind in all_hazards()}
    return {name: value for name, value in found.items() if value is not None}


def score(row: Judged, fitted: Mapping[str, Worth]) -> float:
    """The row's risk if its hazards acted one by one: 1 - the product of (1 - severity)."""
    return 1 - math.prod(1 - fitted[name].severity for name in row.hazards if name in fitted)


def auroc(scores: Sequence[float], failed: Sequence[bool]) -> float:
    """How often a failure scores above a success, ties counted half."""
    bad = sorted(value for value, wrong in zip(scores, failed, strict=True) if wrong)
    good = sorted(value for value, wrong in zip(scores, failed, strict=True) if not wrong)
    wins = sum((bisect_left(good, value) + bisect_right(good, value)) / 2 for value in bad)
    return wins / (len(bad) * len(good))


def cross_validated(rows: Sequence[Judged], seed: int = 0) -> list[float]:
    """Each row's score under severities fitted without its fold, in the order of the rows."""
    order = list(range(len(rows)))
    random.Random(seed).shuffle(order)
    scores = [0.0] * len(rows)
    for fold in range(FOLDS):
        held = set(order[fold::FOLDS])
        fitted = fit([row for at, row in enumerate(rows) if at not in held])
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
    fitted = fit(rows)
    write = sys.stdout.write
    write(f"{sum(failed)} failures, {len(rows) - sum(failed)} successes\n")
    write(f"{'hazard':14}{'failures':>9}{'successes':>10}{'ratio':>7}  {'interval':16}{'severity':>9}\n")
    for name, value in sorted(fitted.items(), key=lambda entry: -entry[1].ratio):
        span = f"[{value.low:.2f}, {value.high:.2f}]"
        write(f"{name:14}{value.failures:9}{value.successes:10}{value.ratio:7.2f}  {span:16}{value.severity:9.2f}\n")
    unmeasured = [kind.name for kind in all_hazards() if kind.name not in fitted]
    write(f"not measured (fewer than {LEAST_ROWS} rows): {', '.join(unmeasured) or 'none'}\n")
    scores = cross_validated(rows)
    low, high = interval(scores, failed)
    write(f"AUROC of the row score, {FOLDS}-fold: {auroc(scores, failed):.3f} [{low:.3f}, {high:.3f}]\n")
    naive = [float("ABSENT" in row.hazards) for row in rows]
    low, high = interval(naive, failed)
    write(f"AUROC of the flag ABSENT alone: {auroc(naive, failed):.3f} [{low:.3f}, {high:.3f}]\n")
    if "--write" in arguments:
        hazards = {name: asdict(value) for name, value in sorted(fitted.items())}
        content = {"made_by": "python -m analyze.calibrate DATA --write", "hazards": hazards}
        FILE.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        write(f"written to {FILE.name}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
