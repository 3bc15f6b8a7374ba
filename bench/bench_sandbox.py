"""The sandbox: a call compared with a bare fork, a hundred calls with one, and the time until a program is killed."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator

from measured_row import Row, seconds

from corpora import InputError, run_call, run_calls
from corpora.program import Isolation
from corpora.sandbox.workers import isolation_levels, pool
from corpora.sandbox.workers.worker import WorkerDiedError

SHORT = "def f(x):\n    return x + 1\n"
UNPROVEN = "import json\n" + SHORT
LEVELS: tuple[Isolation, ...] = ("C", "B", "A")
CALLS = 200
GOAL = 1.5
LIMIT = 0.2
"""Seconds after which a program that does not end is killed."""


def rows() -> Iterator[Row]:
    """Yield a row for each isolation level that this machine has, and rows for the strongest."""
    used = [level for level in LEVELS if is_available(level)]
    for level in used:
        use(level)
        taken, floor = overhead()
        yield Row(f"a call, isolation level {level}", taken, "bare fork", floor, GOAL)
        pool.close_idle()
    use(used[-1])
    one, hundred = one_and_hundred(SHORT)
    yield Row("a hundred calls of a program that is proven", hundred, "one call", one, None)
    _, hundred = one_and_hundred(UNPROVEN, rounds=5)
    forks = statistics.median(seconds(bare_fork) for _ in range(CALLS))
    yield Row("a call of a program that is not proven, of a hundred", hundred / 100, "bare fork", forks, None)
    late = statistics.median(seconds(lambda: run_call("while True: pass", "f()", seconds=LIMIT)) for _ in range(9))
    yield Row(f"until a program with a limit of {LIMIT} s is killed", late, "its limit", LIMIT, None)


def use(level: Isolation) -> None:
    """Select an isolation level, and start its worker."""
    isolation_levels.force_level(level)
    isolation_levels.allow_weak_isolation(True)
    for number in range(5):
        assert run_call(SHORT, f"f({number})").value == str(number + 1)


def is_available(level: Isolation) -> bool:
    """Return whether this machine has an isolation level."""
    isolation_levels.force_level(level)
    isolation_levels.allow_weak_isolation(True)
    try:
        isolation_levels.active_isolation()
    except (InputError, WorkerDiedError):
        return False
    return True


def overhead() -> tuple[float, float]:
    """Return the median seconds of a call beyond the program itself, and of a bare fork, measured in turns."""
    beyond, forks = [], []
    for number in range(CALLS):
        start = time.perf_counter()
        outcome = run_call(SHORT, f"f({number})")
        beyond.append(time.perf_counter() - start - outcome.seconds)
        forks.append(seconds(bare_fork))
    return statistics.median(beyond), statistics.median(forks)


def one_and_hundred(source: str, rounds: int = 60) -> tuple[float, float]:
    """Return the median seconds of a job with one call and of a job with a hundred, measured in turns."""
    calls = [f"f({number})" for number in range(100)]
    pairs = [
        (seconds(lambda: run_calls(source, calls[:1])), seconds(lambda: run_calls(source, calls)))
        for _ in range(rounds)
    ]
    one, hundred = zip(*pairs, strict=True)
    return statistics.median(one), statistics.median(hundred)


def bare_fork() -> None:
    """Fork this process, and wait for the child, which ends at once."""
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
