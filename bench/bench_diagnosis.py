"""The diagnosis of recorded outputs, compared with its floor: the reference traces of their programs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from measured_row import Row, timed

from analyze import diagnose_rows, trace_call
from corpora import BadRow, Case, load

COUNT = 48
GOAL = 4.0
"""A row runs its call three times: two runs show what it depends on, and one records its operations."""


def rows() -> Iterator[Row]:
    """Yield one row: outputs whose first divergence is in the last third of the trace."""
    cases = list(islice(load("zoo", size=COUNT, depth=2, seed=0), COUNT))
    recorded, floor = timed(lambda: list(map(recording, cases)))
    found, taken = timed(lambda: list(diagnose_rows(recorded)))
    bad = [one for one in found if isinstance(one, BadRow)]
    assert not bad, bad[0]
    yield Row(f"diagnose {COUNT} outputs", taken, "their reference traces", floor, GOAL)


def recording(case: Case) -> dict[str, str]:
    """A row whose output is the reference trace with another digit in its last third."""
    text = trace_call(case.source, case.call, case.grading).text
    cut = len(text) * 2 // 3
    return {"code": case.source, "call": case.call, "output": text[:cut] + text[cut:].replace("1", "7")}
