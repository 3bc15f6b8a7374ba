"""Workers are kept, renewed, replaced and ended; a caller may fork or use threads."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from corpora import InputError, run_call
from corpora.execute import run_observed, run_simulated
from corpora.sandbox.workers import launch, pool, worker
from rewrite.equivalence.coverage import OBSERVER as PATHS
from rewrite.equivalence.coverage import observe_paths

SOURCE = "def f(x):\n    return x * 2"


def current() -> worker.Worker:
    run_call(SOURCE, "f(1)")
    return pool._idle[0, 0][-1]


def alive(group: int) -> list[str]:
    """The processes of a group that are more than zombies, as /proc/PID/stat lines."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:
            continue
        state, _, its_group = text.rpartition(")")[2].split()[:3]
        if int(its_group) == group and state not in "ZX":
            found.append(text)
    return found


def wait_until_dead(group: int) -> None:
    deadline = time.monotonic() + 20
    while alive(group) and time.monotonic() < deadline:
        time.sleep(0.01)  # what has been signalled dies on its own time
    assert not alive(group)


@pytest.mark.medium
def test_a_worker_that_dies_between_jobs_is_replaced_unnoticed() -> None:
    before = current()
    os.killpg(before._process.pid, signal.SIGKILL)
    before._process.wait()
    assert run_call(SOURCE, "f(21)").value == "42"
    assert current() is not before


def test_a_worker_that_cannot_be_started_again_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    current()
    pool.close_idle()
    monkeypatch.setattr(launch, "base_interpreter", lambda: Path("/nowhere/bin/python"))
    with pytest.raises(InputError, match="no sandbox worker can be started"):
        run_call(SOURCE, "f(1)")


def test_workers_that_were_started_before_are_those_that_jobs_get(monkeypatch: pytest.MonkeyPatch) -> None:
    pool.close_idle()
    pool.start_workers((0, 1))
    started = [pool._idle[seed, 0][-1] for seed in (0, 1)]
    pool.start_workers((0, 1))
    assert [pool._idle[seed, 0] for seed in (0, 1)] == [[one] for one in started]
    monkeypatch.setattr(pool, "Worker", None)  # none is started any more
    assert current() is started[0]
    assert run_simulated(SOURCE, ["f(2)"], {}, hash_seed=1)[0].value == "4"


def test_a_started_worker_that_died_before_it_was_ready_is_one_line() -> None:
    pool.close_idle()
    pool.start_workers((0,))
    os.killpg(pool._idle[0, 0][-1]._process.pid, signal.SIGKILL)
    with pytest.raises(InputError, match="no sandbox worker can be started"):
        run_call(SOURCE, "f(1)")
    assert run_call(SOURCE, "f(2)").value == "4"


def test_a_worker_that_cannot_load_an_observer_beforehand_says_so_when_it_is_needed() -> None:
    pool.close_idle()
    pool.start_workers((0,), ["corpora.nothing:Observer", PATHS])
    with pytest.raises(ImportError, match=r"corpora\.nothing"):
        run_observed(SOURCE + "def main():\n    return 1\n", "corpora.nothing:Observer", {})
    pool.close_idle()
    pool.start_workers((0,), ["corpora.nothing:Observer", PATHS])
    assert run_call(SOURCE, "f(2)").value == "4"
    assert observe_paths(SOURCE, ["f(2)"])["f(2)"].ended


@pytest.mark.medium
def test_a_worker_is_renewed_after_its_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "JOBS_PER_WORKER", 3)
    pool.close_idle()
    workers = {id(current()): pool._idle[0, 0][-1] for _ in range(7)}
    assert len(workers) == 3


def test_closing_leaves_no_process() -> None:
    process = current()._process
    pool.close_idle()
    assert process.returncode in (0, -signal.SIGKILL)  # on a busy machine, it ends by itself before it is killed
    wait_until_dead(process.pid)


@pytest.mark.medium
def test_a_caller_that_is_killed_leaves_no_process() -> None:
    code = (
        "import os, threading, time\nfrom corpora import run_call\nfrom corpora.sandbox.workers import pool\n"
        "run_call('', '1')\nprint(pool._idle[0, 0][0]._process.pid, flush=True)\n"
        "threading.Timer(0.3, os.kill, (os.getpid(), 9)).start()\nrun_call('while True: pass', '1', seconds=60)"
    )
    run = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=False)
    assert run.returncode == -signal.SIGKILL
    wait_until_dead(int(run.stdout))


@pytest.mark.medium
def test_threads_have_a_worker_each_while_they_run() -> None:
    pool.close_idle()
    waiting = threading.Barrier(2)

    def run() -> None:
        waiting.wait(10)
        assert run_call("import time\ndef f(): time.sleep(0.5)", "f()").status == "ok"

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(pool._idle[0, 0]) == 2


@pytest.mark.medium
def test_many_threads_get_their_own_results() -> None:
    values: dict[int, str | None] = {}

    def run(number: int) -> None:
        values[number] = run_call(SOURCE, f"f({number})").value

    threads = [threading.Thread(target=run, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert values == {number: str(number * 2) for number in range(12)}


@pytest.mark.medium
def test_a_fork_of_the_caller_gets_a_worker_of_its_own() -> None:
    before = current()
    pid = os.fork()
    if pid == 0:
        right = run_call(SOURCE, "f(4)").value == "8"
        pool.close_idle()
        os._exit(0 if right else 1)
    assert os.waitpid(pid, 0)[1] == 0
    assert current() is before
    assert run_call(SOURCE, "f(5)").value == "10"
