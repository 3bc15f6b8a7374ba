"""However a caller ends, nothing that it started is left: real processes, at every level, and the pool of `audit`."""

import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from corpora.program import Isolation
from corpora.sandbox.workers import isolation_levels
from corpora.sandbox.workers.worker import WorkerDiedError
from tests.samples import sampled

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")

# Leaves its session, and its parent if it may, and undoes what would kill it with that.
PROGRAM = """
import ctypes, os, time
def away():
    os.setsid()
    ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)
def f():
    try:
        if os.fork() == 0:
            away()
            if os.fork() == 0:
                away()
    except OSError:
        pass
    while True:
        time.sleep(0.01)
"""
CALLER = f"""
import signal, sys
from corpora import run_call
from corpora.execute import allow_weak_isolation
from corpora.sandbox.workers import isolation_levels
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background of a shell ignores it
isolation_levels.force_level(sys.argv[1])
allow_weak_isolation(True)
run_call('', '1')
try:
    print('now', flush=True)
    run_call({PROGRAM!r}, 'f()', seconds=100)
except KeyboardInterrupt:
    sys.stdin.read()
"""
# bwrap twice, zygote and program; zygote and program; zygote, program, its child and grandchild.
PROCESSES: dict[Isolation, int] = {"A": 4, "B": 2, "C": 4}
LEVELS: tuple[Isolation, ...] = ("A", "B", "C")
Process = tuple[int, str]


def processes() -> dict[int, tuple[int, Process]]:
    """Parent and identity (number and start) of every process that is more than a zombie."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] not in "ZX":
            found[int(stat.parent.name)] = (int(fields[1]), (int(stat.parent.name), fields[19]))
    return found


def descendants(root: int) -> set[Process]:
    known = processes()
    found, latest = set(), {root}
    while latest:
        latest = {pid for pid, (parent, _) in known.items() if parent in latest}
        found |= {known[pid][1] for pid in latest}
    return found


def alive(those: set[Process]) -> set[Process]:
    return those & {identity for _, identity in processes().values()}


def wait_for(condition: Callable[[], bool], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def available(level: Isolation) -> None:
    isolation_levels.force_level(level)
    try:
        isolation_levels.active_isolation()
    except WorkerDiedError as error:
        pytest.skip(f"level {level} cannot be had here: {error}")
    finally:
        isolation_levels.force_level(None)


# Every level with one ending in the quick tests, and every ending with one level.
ENDINGS = [(level, ending) for level in LEVELS for ending in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)]


@pytest.mark.medium
@pytest.mark.parametrize(("level", "ending"), sampled(ENDINGS, [f"{a}-{b.name}" for a, b in ENDINGS], every=4))
def test_a_caller_that_is_ended_or_interrupted_leaves_no_process(level: Isolation, ending: signal.Signals) -> None:
    available(level)
    command = [sys.executable, "-c", CALLER, level]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as caller:
        try:
            assert caller.stdout is not None
            assert caller.stdout.readline() == b"now\n"  # what runs before it has processes, too
            wait_for(lambda: len(descendants(caller.pid)) >= PROCESSES[level])
            time.sleep(0.3 if level == "C" else 0)  # for the last of them to have left its session; else none can
            started = descendants(caller.pid)
            caller.send_signal(ending)
            wait_for(lambda: not alive(started))
            assert (caller.poll() is None) == (ending == signal.SIGINT)
        finally:
            caller.kill()


# What `audit` does with its shards; here each is a program that does not end.
POOL = f"""
from functools import partial
from corpora.shard_executors import over_cores
from corpora import run_call
list(over_cores(2)(partial(run_call, {PROGRAM!r}, seconds=100), iter(['f()'] * 9)))
"""


@pytest.mark.medium
@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM], ids=lambda ending: ending.name)
def test_a_killed_audit_leaves_no_pool(ending: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", POOL], stderr=subprocess.DEVNULL) as audit:
        try:
            wait_for(lambda: len(descendants(audit.pid)) >= 7)  # the tracker, two of the pool, their sandboxes
            started = descendants(audit.pid)
            audit.send_signal(ending)
            wait_for(lambda: not alive(started))
        finally:
            audit.kill()


OPEN = """
import os
def f():
    found = []
    for fd in range(70_000):
        try:
            os.fstat(fd)
            found.append(fd)
        except OSError:
            pass
    return found
"""
CROWDED = f"""
import os, sys
from corpora import run_call
from corpora.execute import allow_weak_isolation
from corpora.sandbox.workers import isolation_levels
held = [os.dup(0) for _ in range(int(sys.argv[2]))]
isolation_levels.force_level(sys.argv[1])
allow_weak_isolation(True)
print(run_call({OPEN!r}, 'f()').value)
"""


COUNTS = [(level, count) for level in LEVELS for count in (295, 310, 5_000)]


@pytest.mark.medium
@pytest.mark.parametrize(("level", "count"), sampled(COUNTS, [f"{level}-{count}" for level, count in COUNTS], every=4))
def test_a_program_holds_four_descriptors_however_many_its_caller_has(level: Isolation, count: int) -> None:
    available(level)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = count + 200
    if hard != resource.RLIM_INFINITY and most > hard:
        pytest.skip(f"no more than {hard} descriptors may be open here")
    raised = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({max(soft, most)}, {hard}))\n"
    command = [sys.executable, "-c", raised + CROWDED, level, str(count)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[0, 1, 2, 3]\n"
