"""Where the processes of a pool run. What they compute is tested with their users."""

import os
from collections.abc import Iterator

import pytest

from analyze.auditing.executors import map_over_cores
from corpora.cores import usable_cores

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
