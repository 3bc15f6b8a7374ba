"""Runs many harmless calls in two orders; their records must be byte-identical.

    python bench/repeated_runs.py [RUNS]     (default: 1,000)

Exits with status 1 if a record differs or a call does not end well.
"""

from __future__ import annotations

import hashlib
import random
import sys
import time

from corpora import Outcome, load, run_call


def record(outcome: Outcome) -> bytes:
    """An outcome without its times."""
    kept = (outcome.status, outcome.value, outcome.exception, outcome.stdout, outcome.arguments, outcome.snapshot)
    return repr((*kept, sorted(outcome.globals.items()), outcome.isolation)).encode()


def repeated(runs: int) -> tuple[int, int, float]:
    """Run `runs` harmless calls in two orders. Returns differing records, statuses other than "ok", and seconds."""
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
    print(f"digest of the {runs} records: {digest[:16]}")
    return differing, bad, time.perf_counter() - start


if __name__ == "__main__":
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    differing, bad, seconds = repeated(calls)
    print(f"{calls} calls in two orders: {differing} records differ, {bad} not ok, {seconds:.1f} s")
    sys.exit(1 if differing or bad else 0)
