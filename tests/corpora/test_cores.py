"""Where the processes of a pool run. What they compute is tested with their users."""

import ast
import gc
import os
import signal
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from corpora.cores import map_over_cores, usable_cores
from corpora.errors import InputError

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system does not pin processes")


def cores_of(_: int) -> tuple[int, list[int]]:
    return os.getpid(), usable_cores()


@pytest.fixture
def two_cores() -> Iterator[list[int]]:
    """Leaves two cores to this process; skips if there is only one."""
    before = os.sched_getaffinity(0)
    cores = sorted(before)[:2]
    if len(cores) < 2:
        pytest.skip("needs two cores")
    os.sched_setaffinity(0, cores)
    yield cores
    os.sched_setaffinity(0, before)


@pytest.mark.parametrize("processes", [1, 3])
def test_processes_that_are_not_one_per_core_may_use_every_core(two_cores: list[int], processes: int) -> None:
    assert all(cores == two_cores for _, cores in map_over_cores(cores_of, range(6), processes))


def test_one_process_per_core_stays_on_its_core(two_cores: list[int]) -> None:
    found = dict(map_over_cores(cores_of, range(40)))
    assert all(len(cores) == 1 for cores in found.values())
    assert len({core for cores in found.values() for core in cores} & set(two_cores)) == len(found)


def test_the_default_number_of_processes_is_that_of_the_cores_that_may_be_used() -> None:
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        assert {pid for pid, _ in map_over_cores(cores_of, range(3))} == {os.getpid()}
    finally:
        os.sched_setaffinity(0, before)


def slow_first(number: int) -> int:
    time.sleep(0.5 if number == 0 else 0)
    return number


def test_results_come_in_the_order_of_the_items_if_wanted() -> None:
    assert list(map_over_cores(slow_first, range(9), 3, ordered=True)) == list(range(9))
    assert sorted(map_over_cores(slow_first, range(9), 3)) == list(range(9))


def switch_interval(_: int) -> float:
    return sys.getswitchinterval()


def test_each_new_process_is_prepared() -> None:
    before = sys.getswitchinterval()
    assert set(map_over_cores(switch_interval, range(4), 2, start=partial(sys.setswitchinterval, 0.5))) == {0.5}
    assert sys.getswitchinterval() == before


def parse_with_collections(_: int) -> int:
    gc.callbacks.append(lambda *_: [None for _ in range(50)])
    source = Path(ast.__file__).read_text(encoding="utf-8")
    sys.setswitchinterval(1e-6)
    return len([ast.parse(source) for _ in range(20)])


def test_jobs_that_parse_do_not_disturb_each_other() -> None:
    assert list(map_over_cores(parse_with_collections, range(4), 4)) == [20] * 4


def killed(_: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_process_is_one_line() -> None:
    with pytest.raises(InputError, match="a worker process was killed, for example because memory ran out; run again"):
        list(map_over_cores(killed, range(3), 2, "; run again"))
