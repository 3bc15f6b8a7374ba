"""The diagnosis of recorded outputs, compared with its floor: the reference traces of their programs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice

from measured_row import Row

from analyze import diagnose_rows, trace_call
from corpora import BadRow, load

COUNT = 48
GOAL = 4.0
"""A row runs its call three times: two runs show what it depends on, and one records its operations."""


def rows() -> Iterator[Row]:
    """Yield one row: outputs whose first divergence is in the last third of the trace."""
    cases = list(islice(load("zoo", size=COUNT, depth=2, seed=0), COUNT))
    start = time.perf_counter()
    traces = [trace_call(case.source, case.call, case.grading) for case in cases]
    floor = time.perf_counter() - start
    recorded = []
    for case, trace in zip(cases, traces, strict=True):
        cut = len(trace.text) * 2 // 3
        recorded.append(
            {"code": case.source, "call": case.call, "output": trace.text[:cut] + trace.text[cut:].replace("1", "7")}
        )
    start = time.perf_counter()
    found = list(diagnose_rows(recorded))
    if any(isinstance(one, BadRow) for one in found):
        raise AssertionError(next(one for one in found if isinstance(one, BadRow)))
    yield Row(f"diagnose {COUNT} outputs", time.perf_counter() - start, "their reference traces", floor, GOAL)
