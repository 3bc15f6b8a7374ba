"""Where the processes of a pool run. What they compute is tested with their users."""

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from corpora.failures import JobDiedError
from corpora.process_pool import map_over_cores
from tests.corpora.pool_jobs import (
    cores_of,
    killed_by_seven,
    parse_with_collections,
    raises,
    slow_first,
    summed,
    switch_interval,
)

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system does not pin processes")


def lost_any(_: int, __: object) -> Any:
    raise AssertionError("no process dies")


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
    assert all(cores == two_cores for _, cores in map_over_cores(cores_of, range(6), processes, on_death=lost_any))


def test_one_process_per_core_stays_on_its_core(two_cores: list[int]) -> None:
    found = dict(map_over_cores(cores_of, range(40), on_death=lost_any))
    assert all(len(cores) == 1 for cores in found.values())
    assert len({core for cores in found.values() for core in cores} & set(two_cores)) == len(found)


def test_the_default_number_of_processes_is_that_of_the_cores_that_may_be_used() -> None:
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        assert {pid for pid, _ in map_over_cores(cores_of, range(3), on_death=lost_any)} == {os.getpid()}
    finally:
        os.sched_setaffinity(0, before)


@pytest.mark.medium
def test_results_come_in_the_order_of_the_items_if_wanted() -> None:
    assert list(map_over_cores(slow_first, range(9), 3, ordered=True, on_death=lost_any)) == list(range(9))
    assert sorted(map_over_cores(slow_first, range(9), 3, on_death=lost_any)) == list(range(9))


def test_each_new_process_is_prepared() -> None:
    before = sys.getswitchinterval()
    prepare = partial(sys.setswitchinterval, 0.5)
    assert set(map_over_cores(switch_interval, range(4), 2, start=prepare, on_death=lost_any)) == {0.5}
    assert sys.getswitchinterval() == before


@pytest.mark.medium
def test_jobs_that_parse_do_not_disturb_each_other() -> None:
    assert list(map_over_cores(parse_with_collections, range(4), 4, on_death=lost_any)) == [8] * 4


def lost(number: int, _: object) -> int:
    return -number


@pytest.mark.medium
@pytest.mark.parametrize("ordered", [True, pytest.param(False, marks=pytest.mark.exhaustive)])
def test_a_process_that_dies_loses_only_the_item_that_kills_it(ordered: bool) -> None:
    found = list(map_over_cores(killed_by_seven, range(23), 2, ordered=ordered, on_death=lost))
    expected = [-number if number in (7, 17) else number for number in range(23)]
    assert found == expected if ordered else sorted(found) == sorted(expected)


@pytest.mark.medium
def test_parts_of_an_item_that_kills_its_process_can_be_processed_again() -> None:
    def halves(numbers: list[int], alone: Callable[[list[int]], int]) -> int:
        total = 0
        for number in numbers:
            try:
                total += alone([number])
            except JobDiedError:
                total += 100
        return total

    items = [[1, 2], [7, 3], [7], [4, 5]]
    assert list(map_over_cores(summed, items, 2, ordered=True, on_death=halves)) == [3, 103, 100, 9]


def test_an_exception_of_the_job_is_raised() -> None:
    with pytest.raises(ZeroDivisionError, match="the job's own"):
        list(map_over_cores(raises, range(4), 2, on_death=lost))
