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

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from statistics import fmean

import numpy as np
from harness import command, print_table
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
CHANGES = [(gained, lost, 1 - gained - lost) for gained, lost in ((0.1, 0.1), (0.3, 0.3), (0.2, 0.05), (0.3, 0.1))]
"""Shares of pairs that are gained, lost and neither; the first two are true null hypotheses."""
AUROCS, FAILURES = (0.6, 0.75, 0.9), (0.15, 0.5)
ODDS, STEPS = (1.0, 3.0), 5
Ints = NDArray[np.int64]
Shares = tuple[float, ...]
Method = Callable[[Ints, Ints], Interval | None]
"""The interval from sums and numbers of calls, by program."""


def outcomes(
    rng: np.random.Generator, shares: Shares, programs: int, calls: str, correlation: float
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


def simulated(
    programs: int, replications: int, every: Iterable[Shares], is_met: Callable[[Shares, Ints, Ints], bool]
) -> list[float]:
    """By scenario, in how many replications a method meets what is asked of it, in percent."""
    found = []
    for shares, (calls, correlation) in product(every, scenarios(programs)):
        rng = np.random.default_rng(0)
        made = (outcomes(rng, shares, programs, calls, correlation) for _ in range(replications))
        found.append(100 * fmean(is_met(shares, *one) for one in made))
    return found


def accuracy_coverage(programs: int, replications: int, method: Method) -> list[float]:
    """By scenario, how often the interval of an accuracy covers the true value, in percent."""

    def is_met(shares: Shares, made: Ints, counts: Ints) -> bool:
        return covered(method(made[:, 0], counts), shares[0])

    return simulated(programs, replications, [(true, 1 - true) for true in ACCURACIES], is_met)


def difference_coverage(programs: int, replications: int, method: Method) -> list[float]:
    """By scenario, how often the interval of a paired difference covers the true value, in percent."""

    def is_met(shares: Shares, made: Ints, counts: Ints) -> bool:
        return covered(method(made[:, 0] - made[:, 1], counts), shares[0] - shares[1])

    return simulated(programs, replications, CHANGES, is_met)


def false_positives(programs: int, replications: int, method: Callable[[Ints], float]) -> list[float]:
    """By scenario without a true difference, how often the test rejects at 5 %, in percent."""
    return simulated(programs, replications, CHANGES[:2], lambda shares, made, counts: method(made) <= 0.05)


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


def of_accuracy(right: Ints, counts: Ints) -> Interval | None:
    return accuracy_interval(right.tolist(), counts.tolist())


def of_difference(sums: Ints, counts: Ints) -> Interval | None:
    return difference_interval(sums.tolist(), counts.tolist())


def accuracies(programs: int, replications: int) -> dict[str, list[float]]:
    """By method, what is found in each scenario, in percent."""
    return {
        "accuracy: interval of reports": accuracy_coverage(programs, replications, of_accuracy),
        "difference: interval of reports": difference_coverage(programs, replications, of_difference),
        "false positives: McNemar's exact test over calls": false_positives(programs, replications, mcnemar),
        "false positives: sign-flip test by program": false_positives(programs, replications, sign_flip),
    }


def associations(programs: int, replications: int) -> dict[str, list[float]]:
    """The same of AUROCs and odds ratios."""
    return {
        "AUROC: bootstrap interval over programs": auroc_coverage(programs, replications),
        "false positives: odds ratio": [100 - one for one in odds_coverage(programs, replications, (1.0,))],
        "odds ratio of a hazard: sandwich interval by program": odds_coverage(programs, replications),
    }


def cell(found: Sequence[float]) -> str:
    """Mean, minimum and maximum over the scenarios."""
    return f"{fmean(found):.1f} ({min(found):.1f}–{max(found):.1f})" if found else "not given"


def main() -> None:
    """Print the table as Markdown, one method per row."""
    parser = command(__doc__)
    parser.add_argument("--replications", type=int, default=4000, metavar="N", help="per scenario (default: 4000)")
    parser.add_argument("--associations", action="store_true", help="AUROCs and odds ratios instead of accuracies")
    options = parser.parse_args()
    measure = associations if options.associations else accuracies
    by_size = [measure(programs, options.replications) for programs in PROGRAMS]
    rows = ((method, *(cell(found[method]) for found in by_size)) for method in by_size[0])
    print_table(("", *(f"{programs} programs" for programs in PROGRAMS)), rows, "---", "---:")


if __name__ == "__main__":
    main()
