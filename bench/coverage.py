"""Coverage of the confidence intervals and false-positive rate of the paired test, by simulation.

    .venv/bin/python bench/coverage.py                       # 4,000 replications per scenario
    .venv/bin/python bench/coverage.py --replications 1000   # docs/experiments.md: about ten minutes on two cores

Programs have one, five, or one to nine calls. Within a program, outcomes are correlated (Dirichlet-multinomial with an
intraclass correlation of 0, 0.3 and 0.7). A 95 % interval should cover the true value in 95 % of the replications, and
a test at 5 % should reject a true null hypothesis in at most 5 %. McNemar's exact test, which ignores clustering, is
simulated for comparison.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import fmean

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest  # type: ignore[import-untyped]

from runner.statistics.intervals import Interval, accuracy_interval, difference_interval
from runner.statistics.paired import sign_flip_p

PROGRAMS = (10, 30, 150)
CALLS = ("1", "5", "1 to 9")
CORRELATIONS = (0.0, 0.3, 0.7)
ACCURACIES = (0.5, 0.8, 0.95)
CHANGES = ((0.1, 0.1), (0.3, 0.3), (0.2, 0.05), (0.3, 0.1))
"""Shares of pairs that are gained and lost; the first two are true null hypotheses."""
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


def main() -> None:
    """Print the table as Markdown, one method per row."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replications", type=int, default=4000, metavar="N", help="per scenario (default: 4000)")
    found = sorted(rows(parser.parse_args().replications), key=lambda row: row.method)
    print("| | " + " | ".join(f"{programs} programs" for programs in PROGRAMS) + " |")
    print("|---|" + "---:|" * len(PROGRAMS))
    for method in dict.fromkeys(row.method for row in found):
        cells = (f"{row.mean:.1f} ({row.least:.1f}–{row.most:.1f})" for row in found if row.method == method)
        print(f"| {method} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
