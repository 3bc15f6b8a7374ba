"""The bare work with which the pipeline of traces is compared."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from trace_data_sets import BARE, RunTwice

from analyze.gold_trace.trace import build_frames, trace_in_process
from corpora.program import Case


@pytest.mark.parametrize("runner", BARE.values(), ids=BARE)
def test_each_kind_of_fork_records_the_trace(runner: Callable[[], AbstractContextManager[RunTwice]]) -> None:
    context = Case("", "def f(x):\n    y = x + 1\n    return y", "f(1)").context
    with runner() as run_twice:
        runs = [build_frames(records, context) for records in run_twice(context)]
    assert runs == [trace_in_process(context)] * 2
