"""A time limit ends the runs within it, and what was not known then is an error, not an outcome."""

from __future__ import annotations

import time

import pytest

from corpora.deadline import OutOfTimeError, current_deadline, time_limit
from corpora.execute import run_calls, run_observed
from corpora.sandbox.workers import isolation_levels

ENDLESS = "def f(x):\n    while x:\n        pass"


@pytest.mark.medium
def test_runs_end_at_the_deadline_however_many_calls_there_are() -> None:
    start = time.monotonic()
    with time_limit(0.5), pytest.raises(OutOfTimeError, match=r"time limit of 0\.5 s"):
        run_calls(ENDLESS, ["f(1)"] * 8, seconds=30)
    assert time.monotonic() - start < 60  # one after another, the calls take four minutes


def test_the_self_check_of_the_sandbox_is_not_part_of_the_time() -> None:
    isolation_levels.force_level(None)  # the next run checks the sandbox again
    with time_limit(0):
        assert isolation_levels.active_isolation().confinement.level


@pytest.mark.medium
def test_a_run_that_ends_by_its_own_limit_is_an_outcome() -> None:
    with time_limit(60):
        [outcome] = run_calls(ENDLESS, ["f(1)"], seconds=0.3)
    assert outcome.status == "timeout"


def test_nothing_runs_after_the_deadline() -> None:
    with time_limit(0), pytest.raises(OutOfTimeError):
        run_calls(ENDLESS, ["f(0)"])
    with time_limit(0), pytest.raises(OutOfTimeError):
        run_observed("def main():\n    pass", "analyze.gold_trace.tracer:Tracer", {})


def test_an_inner_limit_is_no_longer_than_an_outer_one() -> None:
    with time_limit(5) as outer:
        with time_limit(50) as inner:
            assert inner is outer
        with time_limit(1) as shorter:
            assert current_deadline() is shorter
        assert current_deadline() is outer
    assert current_deadline().seconds is None
