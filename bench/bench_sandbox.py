"""Costs of the sandbox, in one run: programs per second, overhead, many inputs, kill latency, repeated runs.

    python bench/bench_sandbox.py [--runs N]

Every time is compared with a plain `fork` of a small interpreter measured in the same run, so that results from busy or
slow machines are comparable. `--runs 10000` makes the last part complete: that many harmless calls, in two orders,
whose records must be byte-identical.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

from corpora import InputError, Outcome, load, run_call, run_calls
from corpora.program import Isolation
from corpora.sandbox.workers import levels, pool
from corpora.sandbox.workers.worker import WorkerDiedError

SHORT = "def f(x):\n    return x + 1\n"


def milliseconds(act: Callable[[], object], times: int) -> list[float]:
    found = []
    for _ in range(times):
        start = time.perf_counter()
        act()
        found.append((time.perf_counter() - start) * 1000)
    return sorted(found)


def bare_fork() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def available(level: Isolation) -> str:
    levels.force_level(level)
    levels.allow_weak_isolation(True)
    try:
        levels.active_isolation()
    except (InputError, WorkerDiedError) as error:
        return str(error)
    return ""


def many(level: Isolation, count: int) -> int:
    """One caller's share of the throughput measurement."""
    levels.force_level(level)
    levels.allow_weak_isolation(True)
    for number in range(count):
        assert run_call(SHORT, f"f({number})").value == str(number + 1)
    return count


def throughput(level: Isolation, count: int) -> float:
    """Programs per second with one caller on each of two cores; the workers are started before the measurement."""
    with ProcessPoolExecutor(2) as executor:
        list(executor.map(many, [level] * 4, [20] * 4))
        start = time.perf_counter()
        done = sum(executor.map(many, [level] * 4, [count // 4] * 4))
        return done / (time.perf_counter() - start)


def overhead(level: Isolation, count: int = 200) -> tuple[float, float, float]:
    """Milliseconds beyond the program itself (median, 90th percentile), and the median of a plain fork."""
    many(level, 5)
    found = []
    for number in range(count):
        start = time.perf_counter()
        outcome = run_call(SHORT, f"f({number})")
        found.append((time.perf_counter() - start - outcome.seconds) * 1000)
    return statistics.median(found), sorted(found)[count * 9 // 10], statistics.median(milliseconds(bare_fork, count))


def one_and_hundred(rounds: int = 60) -> tuple[float, float]:
    """Median milliseconds of a job with one input and of a job with a hundred, measured alternately."""
    calls = [f"f({number})" for number in range(100)]
    pairs = [
        (milliseconds(lambda: run_calls(SHORT, calls[:1]), 1)[0], milliseconds(lambda: run_calls(SHORT, calls), 1)[0])
        for _ in range(rounds)
    ]
    one, hundred = zip(*pairs, strict=True)
    return statistics.median(one), statistics.median(hundred)


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000, help="calls of the repetition part (default: 1000)")
    arguments = parser.parse_args()
    best: Isolation = "C"
    print("level  programs/s (2 callers)  overhead p50 ms  p90 ms  bare fork ms  overhead/fork")
    for level in ("C", "B", "A"):
        why = available(level)
        if why:
            print(f"{level:5}  not available: {why}")
            continue
        best = level
        p50, p90, fork = overhead(level)
        pool.close_idle()
        rate = throughput(level, 400)
        print(f"{level:5}  {rate:22.0f}  {p50:15.2f}  {p90:6.2f}  {fork:12.2f}  {p50 / fork:13.1f}")
    available(best)
    many(best, 5)
    one, hundred = one_and_hundred()
    print(f"level {best}: one input {one:.2f} ms, a hundred {hundred:.2f} ms: {hundred / one:.2f} times one")
    late = [ms - 200 for ms in milliseconds(lambda: run_call("while True: pass", "f()", seconds=0.2), 15)]
    print(f"level {best}: killed {statistics.median(late):.1f} ms after the limit, at most {late[-1]:.1f} ms")
    differing, bad, seconds = repeated(arguments.runs)
    print(
        f"level {best}: {arguments.runs} calls in two orders: {differing} records differ, {bad} not ok, {seconds:.1f} s"
    )


if __name__ == "__main__":
    main()
