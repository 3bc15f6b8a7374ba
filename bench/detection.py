"""Detection rate of `check_intervention`: faults found, false alarms, and seconds, at the default budget.

python bench/detection.py                       # all suites
python bench/detection.py --suite statements    # statements, more, pairs or correct
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from harness import command, measured

from rewrite.testing import check_intervention
from runner.statistics.intervals import wilson
from tests.rewrite.faults import corpus
from tests.rewrite.testing import more_faults, statement_faults
from tests.rewrite.testing.correct_rewrites import REWRITES
from tests.rewrite.testing.pairs import pair_rewrite
from tests.rewrite.testing.patterns import pattern_rewrite

TABLES = {"statements": statement_faults.FAULTS, "more": more_faults.FAULTS, "correct": REWRITES}
SUITES = ("statements", "more", "pairs", "correct")


class Trial(NamedTuple):
    """What `check_intervention` says of a subject, and the wall and processor seconds that it takes."""

    name: str
    kind: str
    report: str
    seconds: float
    processor: float


def subjects(suite: str) -> dict[str, Callable[[], Any]]:
    if suite == "pairs":
        return {fault.name: partial(pair_rewrite, fault) for fault in corpus()}
    return {name: partial(pattern_rewrite, name, *pair) for name, pair in TABLES[suite].items()}


def tried(name: str, suite: str, seed: int) -> Trial:
    subject = subjects(suite)[name]()
    start, processor = time.monotonic(), time.process_time()
    report = check_intervention(subject, properties=("behaviour",), seed=seed)
    kind = report.failures[0].kind if report.failures else "passed"
    if report.counterexample or kind == "error":  # an error comes with a program whose result does not compile
        kind = "found"
    return Trial(name, kind, str(report), time.monotonic() - start, time.process_time() - processor)


def main() -> None:
    parser = command(__doc__)
    parser.add_argument("--suite", choices=SUITES, action="append")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="part of the names")
    parser.add_argument("--from", dest="first", type=int, default=0, help="the first subject")
    parser.add_argument("--to", dest="last", type=int, help="behind the last subject")
    parser.add_argument("--verbose", action="store_true", help="print the reports")
    arguments = parser.parse_args()
    for suite in arguments.suite or SUITES:
        names = [name for name in subjects(suite) if arguments.only in name][arguments.first : arguments.last]
        rows = []
        trial = partial(tried, suite=suite, seed=arguments.seed)
        for row in measured(trial, names, suite, arguments.jobs, fresh=True):
            print(f"  {row.kind:10} {row.seconds:6.1f} s {row.processor:6.1f} s  {row.name}", flush=True)
            if arguments.verbose:
                print(row.report, flush=True)
            rows.append(row)
        print_summary(suite, rows)


def print_summary(suite: str, rows: list[Trial]) -> None:
    found = sum(row.kind == "found" for row in rows)
    low, high = wilson(found, len(rows))
    usual = "passed" if suite == "correct" else "found"
    print(f"{suite}: {found} of {len(rows)} reported ({low:.1%} to {high:.1%})")
    columns = {
        "seconds": [row.seconds for row in rows],
        "seconds of this process's CPU": [row.processor for row in rows],
    }
    for name, values in columns.items():
        print(f"  {name}: median {statistics.median(values):.1f}, at most {max(values):.1f}")
    print(f"  to look at: {'; '.join(f'{row.name} ({row.kind})' for row in rows if row.kind != usual)}")


if __name__ == "__main__":
    main()
