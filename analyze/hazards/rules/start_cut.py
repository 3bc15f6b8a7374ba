"""START_CUT: a token reaches into the occurrence from the left: its start is no token boundary."""

from __future__ import annotations

from analyze.hazards.base import Example, PositionHazard
from analyze.hazards.batch import Batch, Spots
from analyze.tokens.token_spans import Bools


class StartCut(PositionHazard):
    """A token reaches into the occurrence from the left: its start is no token boundary."""

    name = "START_CUT"
    summary = "A token reaches into the occurrence from the left: its start is no token boundary."
    start_severity = 0.5
    EXAMPLE = Example(text="a-.-.b", pattern="-.", method="split", spans=((3, 5),))
    UNTOUCHED = Example(text="x->y", pattern="->", method="split")

    def holds(self, spots: Spots) -> Bools:
        return spots.start_cut & ~spots.end_cut & ~spots.one_token

    def why(self, batch: Batch, row: int, start: int, end: int) -> str:
        return self.why_cut(batch, row, start, end)
