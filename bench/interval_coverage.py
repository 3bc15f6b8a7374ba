"""Coverage of the confidence intervals and false-positive rate of the paired test, by simulation.

    .venv/bin/python bench/interval_coverage.py                       # 4,000 replications per scenario
    .venv/bin/python bench/interval_coverage.py --replications 1000   # docs/statistics.md: ten minutes on two cores
    .venv/bin/python bench/interval_coverage.py --associations --replications 100   # AUROC and odds ratios: two minutes

Programs have one, five, or one to nine calls. Within a program, outcomes are correlated (Dirichlet-multinomial with an
intraclass correlation of 0, 0.3 and 0.7). A 95 % interval should cover the true value in 95 % of the replications, and
a test at 5 % should reject a true null hypothesis in at most 5 %. McNemar's exact test, which ignores clustering, is
simulated for comparison.

An AUROC is that of normal scores, with 15 or 50 % failures; its interval is not given with fewer than ten failures or
successes. An odds ratio is that of a hazard that half of the programs carry, in programs of five steps; with a
correlation of 0.7, in 70 % of the programs all steps fail or succeed together.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import fmean

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest, norm  # type: ignore[import-untyped]

from analyze.risk.map_validation import LEAST_OF_EACH, bootstrap_interval
from lab.risk.calibrate import NORMAL_95, LabelledSteps, hazard_odds_ratio
from lab.risk.step_hazards import HAZARDS
from runner.statistics.intervals import Interval, accuracy_interval, difference_interval
from runner.statistics.paired import sign_flip_p

PROGRAMS = (10, 30, 150)
CALLS = ("1", "5", "1 to 9")
CORRELATIONS = (0.0, 0.3, 0.7)
ACCURACIES = (0.5, 0.8, 0.95)
CHANGES = ((0.1, 0.1), (0.3, 0.3), (0.2, 0.05), (0.3, 0.1))
"""Shares of pairs that are gained and lost; the first two are true null hypotheses."""
AUROCS, FAILURES = (0.6, 0.75, 0.9), (0.15, 0.5)
ODDS, STEPS = (1.0, 3.0), 5
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class CoverageRow:
    """The result of one method: mean, minimum and maximum over the scenarios, in percent."""

    method: str
    programs: int
    mean: float
    least: float
    most: float


def outcomes(
    rng: np.random.Generator, shares: Sequence[float], programs: int, calls: str, correlation: float
) -> tuple[Ints, Ints]:
    """One replication: counts of each outcome, int64 [programs, outcomes], and calls by program."""
    counts = rng.integers(1, 10, programs) if calls == "1 to 9" else np.full(programs, int(calls))
    if correlation:
        own = rng.dirichlet(np.maximum(shares, 1e-9) * (1 - correlation) / correlation, programs)
        return rng.multinomial(counts, own), counts
    return rng.multinomial(counts, shares), counts


def scenarios(programs: int) -> Iterator[tuple[str, float]]:
    """Pairs of a number of calls and a correlation; a single call has no correlation."""
    yield from ((calls, of) for calls, of in product(CALLS, CORRELATIONS) if calls != "1" or not of)


def covered(interval: Interval | None, true: float) -> bool:
    """Whether the interval contains the true value."""
    return interval is not None and interval[0] - 1e-12 <= true <= interval[1] + 1e-12


def accuracy_coverage(programs: int, replications: int, method: Callable[[Ints, Ints], Interval | None]) -> list[float]:
    """By scenario, how often the interval of an accuracy covers the true value, in percent."""
    found = []
    for true, (calls, correlation) in product(ACCURACIES, scenarios(programs)):
        rng = np.random.default_rng(0)
        every = (outcomes(rng, (true, 1 - true), programs, calls, correlation) for _ in range(replications))
        found.append(100 * fmean(covered(method(right[:, 0], counts), true) for right, counts in every))
    return found


def difference_coverage(
    programs: int, replications: int, method: Callable[[Ints, Ints], Interval | None]
) -> list[float]:
    """By scenario, how often the interval of a paired difference covers the true value, in percent."""
    found = []
    for (gained, lost), (calls, correlation) in product(CHANGES, scenarios(programs)):
        rng = np.random.default_rng(0)
        shares = (gained, lost, 1 - gained - lost)
        every = (outcomes(rng, shares, programs, calls, correlation) for _ in range(replications))
        intervals = (method(change[:, 0] - change[:, 1], counts) for change, counts in every)
        found.append(100 * fmean(covered(interval, gained - lost) for interval in intervals))
    return found


def false_positives(programs: int, replications: int, method: Callable[[Ints], float]) -> list[float]:
    """By scenario without a true difference, how often the test rejects at 5 %, in percent."""
    found = []
    for (gained, lost), (calls, correlation) in product(CHANGES[:2], scenarios(programs)):
        rng = np.random.default_rng(0)
        shares = (gained, lost, 1 - gained - lost)
        every = (outcomes(rng, shares, programs, calls, correlation)[0] for _ in range(replications))
        found.append(100 * fmean(method(change) <= 0.05 for change in every))
    return found


def auroc_coverage(programs: int, replications: int) -> list[float]:
    """By scenario, how often the interval of an AUROC covers the true value, in percent; none if it is never given."""
    scenarios_found = []
    for true, share in product(AUROCS, FAILURES):
        rng, found = np.random.default_rng(0), []
        for _ in range(replications):
            failed = (rng.random(programs) < share).astype(np.float64)
            scores = rng.normal(size=programs) + failed * math.sqrt(2) * norm.ppf(true)
            if min(failed.sum(), (1 - failed).sum()) >= LEAST_OF_EACH:
                found.append(covered(bootstrap_interval(failed, scores, np.arange(programs), rng), true))
        scenarios_found += [100 * fmean(found)] if len(found) > replications // 4 else []
    return scenarios_found


def odds_coverage(programs: int, replications: int, odds: Sequence[float] = ODDS) -> list[float]:
    """By scenario, how often the interval of a hazard's odds ratio covers the true value, in percent."""
    group, hazards = np.repeat(np.arange(programs), STEPS), np.zeros((programs * STEPS, len(HAZARDS)), dtype=np.bool_)
    scenarios_found = []
    for true, correlation in product(odds, (0.0, 0.7)):
        rng, found = np.random.default_rng(0), []
        for _ in range(replications):
            hazards[:, 0] = (rng.random(programs) < 0.5)[group]
            together = (rng.random(programs) < correlation)[group]
            drawn = np.where(together, rng.random(programs)[group], rng.random(len(group)))
            odds_of = 0.25 * np.where(hazards[:, 0], true, 1.0)
            wrong = drawn < odds_of / (1 + odds_of)
            steps = LabelledSteps(rng.normal(size=(len(group), 3)), hazards, wrong, group)
            value = hazard_odds_ratio(steps, HAZARDS[0]) if 0 < wrong.sum() < len(wrong) else None
            if value:
                low, high = (value[0] * math.exp(sign * NORMAL_95 * value[1]) for sign in (-1, 1))
                found.append(covered((low, high), true))
        scenarios_found += [100 * fmean(found)] if len(found) > replications // 4 else []
    return scenarios_found


def sign_flip(change: Ints) -> float:
    """The p-value that reports show. `change`: int64 [programs, (gained, lost, neither)]."""
    return sign_flip_p((change[:, 0] - change[:, 1]).tolist())


def mcnemar(change: Ints) -> float:
    """McNemar's exact test over all calls, which ignores clustering, for comparison."""
    gained, lost = (int(count) for count in change.sum(axis=0)[:2])
    return float(binomtest(gained, gained + lost).pvalue) if gained + lost else 1.0


def rows(replications: int) -> Iterator[CoverageRow]:
    """The rows of the table."""

    def clustered(right: Ints, counts: Ints) -> Interval | None:
        return accuracy_interval(right.tolist(), counts.tolist())

    def of_difference(sums: Ints, counts: Ints) -> Interval | None:
        return difference_interval(sums.tolist(), counts.tolist())

    for programs in PROGRAMS:
        for name, found in (
            ("accuracy: interval of reports", accuracy_coverage(programs, replications, clustered)),
            ("difference: interval of reports", difference_coverage(programs, replications, of_difference)),
            ("false positives: sign-flip test by program", false_positives(programs, replications, sign_flip)),
            ("false positives: McNemar's exact test over calls", false_positives(programs, replications, mcnemar)),
        ):
            yield CoverageRow(name, programs, fmean(found), min(found), max(found))


def association_rows(replications: int) -> Iterator[CoverageRow]:
    """The rows of the table of AUROCs and odds ratios."""
    for programs in PROGRAMS:
        odds = odds_coverage(programs, replications)
        for name, found in (
            ("AUROC: bootstrap interval over programs", auroc_coverage(programs, replications)),
            ("odds ratio of a hazard: sandwich interval by program", odds),
            ("false positives: odds ratio", [100 - one for one in odds_coverage(programs, replications, (1.0,))]),
        ):
            if found:
                yield CoverageRow(name, programs, fmean(found), min(found), max(found))


def main() -> None:
    """Print the table as Markdown, one method per row."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replications", type=int, default=4000, metavar="N", help="per scenario (default: 4000)")
    parser.add_argument("--associations", action="store_true", help="AUROCs and odds ratios instead of accuracies")
    options = parser.parse_args()
    made = association_rows if options.associations else rows
    found = sorted(made(options.replications), key=lambda row: row.method)
    print("| | " + " | ".join(f"{programs} programs" for programs in PROGRAMS) + " |")
    print("|---|" + "---:|" * len(PROGRAMS))
    for method in dict.fromkeys(row.method for row in found):
        cells = [f"{row.mean:.1f} ({row.least:.1f}–{row.most:.1f})" for row in found if row.method == method]
        cells = ["not given"] * (len(PROGRAMS) - len(cells)) + cells
        print(f"| {method} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
