"""Runs many harmless calls in two orders; their records must be byte-identical.

    python bench/repeated_runs.py [RUNS]

Exits with status 1 if a record differs or a call does not end well.
"""

from __future__ import annotations

import hashlib
import random
import sys
import time

from harness import command

from corpora import Outcome, load, run_call


def record(outcome: Outcome) -> bytes:
    """An outcome without its times."""
    kept = (outcome.status, outcome.value, outcome.exception, outcome.stdout, outcome.arguments, outcome.snapshot)
    return repr((*kept, sorted(outcome.globals.items()), outcome.isolation)).encode()


def main() -> int:
    parser = command(__doc__)
    parser.add_argument("runs", nargs="?", type=int, default=1000, metavar="RUNS", help="calls (default: 1,000)")
    runs = parser.parse_args().runs
    cases = [case for depth in range(1, 6) for case in load("zoo", size=4, depth=depth)]
    cases += list(load("composition", size=60)) + list(load("permutations", size=30))
    order = [(number, cases[number % len(cases)]) for number in range(runs)]
    start = time.perf_counter()
    first = {number: record(run_call(case.source, case.call)) for number, case in order}
    random.Random(1).shuffle(order)
    outcomes = {number: run_call(case.source, case.call) for number, case in order}
    differing = sum(record(outcome) != first[number] for number, outcome in outcomes.items())
    bad = sum(outcome.status != "ok" for outcome in outcomes.values())
    digest = hashlib.sha256(b"".join(first[number] for number in range(runs))).hexdigest()
    took = time.perf_counter() - start
    print(f"digest of the {runs} records: {digest[:16]}")
    print(f"{runs} calls in two orders: {differing} records differ, {bad} not ok, {took:.1f} s")
    return int(bool(differing or bad))


if __name__ == "__main__":
    sys.exit(main())
