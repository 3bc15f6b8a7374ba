"""SWALLOWED: one token touches the occurrence and is longer than it: the pattern is inside a token."""

from __future__ import annotations

from analyze.hazards.base import Example, PositionHazard
from analyze.hazards.batch import Batch, Spots
from analyze.tokens.token_spans import Bools


class Swallowed(PositionHazard):
    """One token touches the occurrence and is longer than it: the pattern is inside a token."""

    name = "SWALLOWED"
    summary = "One token touches the occurrence and is longer than it: the pattern is inside a token."
    start_severity = 0.7
    EXAMPLE = Example(text="hello", pattern="l", method="count", context="bare", spans=((2, 3), (3, 4)))
    UNTOUCHED = Example(text="_a", pattern="_", method="find")

    def holds(self, spots: Spots) -> Bools:
        return spots.one_token & (spots.start_cut | spots.end_cut)

    def why(self, batch: Batch, row: int, start: int, end: int) -> str:
        (token,) = batch.texts.tokens_at(row, start, end)
        return f"it lies inside the one token {batch.show((token,))}; {self.why_cut(batch, row, start, end)}"
