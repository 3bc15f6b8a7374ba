"""Detection rate of `check_intervention`: faults found, false alarms, and seconds, at the default budget.

python bench/detection.py                       # all suites
python bench/detection.py --suite statements    # statements, more, pairs or correct
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from rewrite.testing import check_intervention
from runner.statistics.intervals import wilson
from tests.rewrite.faults import corpus
from tests.rewrite.testing import more_faults, statement_faults
from tests.rewrite.testing.correct_rewrites import REWRITES
from tests.rewrite.testing.pairs import pair_rewrite
from tests.rewrite.testing.patterns import pattern_rewrite

TABLES = {"statements": statement_faults.FAULTS, "more": more_faults.FAULTS, "correct": REWRITES}
SUITES = ("statements", "more", "pairs", "correct")


def subjects(suite: str) -> dict[str, Any]:
    if suite == "pairs":
        return {fault.name: partial(pair_rewrite, fault) for fault in corpus()}
    return {name: partial(pattern_rewrite, name, *pair) for name, pair in TABLES[suite].items()}


def tried(suite: str, name: str, seed: int) -> Row:
    subject = subjects(suite)[name]()
    start, processor = time.monotonic(), time.process_time()
    report = check_intervention(subject, properties=("behaviour",), seed=seed)
    kind = report.failures[0].kind if report.failures else "passed"
    if report.counterexample or kind == "error":  # an error comes with a program whose result does not compile
        kind = "found"
    return name, kind, str(report), time.monotonic() - start, time.process_time() - processor


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
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
        rows = list(conducted(suite, names, arguments))
        kinds = [row[1] for row in rows]
        found = kinds.count("found")
        low, high = wilson(found, len(rows))
        usual = "passed" if suite == "correct" else "found"
        print(f"{suite}: {found} of {len(rows)} reported ({low:.1%} to {high:.1%})")
        columns = {"seconds": [row[3] for row in rows], "seconds of this process's CPU": [row[4] for row in rows]}
        for name, values in columns.items():
            print(f"  {name}: median {statistics.median(values):.1f}, at most {max(values):.1f}")
        print(f"  to look at: {'; '.join(f'{row[0]} ({row[1]})' for row in rows if row[1] != usual)}")


Row = tuple[str, str, str, float, float]


def conducted(suite: str, names: list[str], arguments: argparse.Namespace) -> Iterator[Row]:
    with ProcessPoolExecutor(arguments.jobs, max_tasks_per_child=1) as pool:
        count = len(names)
        for row in pool.map(tried, [suite] * count, names, [arguments.seed] * count):
            print(f"  {row[1]:10} {row[3]:6.1f} s {row[4]:6.1f} s  {row[0]}", flush=True)
            if arguments.verbose:
                print(row[2], flush=True)
            yield row


if __name__ == "__main__":
    main()
