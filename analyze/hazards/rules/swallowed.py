"""SWALLOWED: the occurrence is inside a single, longer token."""

from __future__ import annotations

from analyze.hazards.base import HazardExample, PositionHazard
from analyze.hazards.batch import OccurrenceArray, QuestionBatch
from analyze.tokens.token_spans import Bools


class SwallowedHazard(PositionHazard):
    """A single token touches the occurrence and is longer than it."""

    name = "SWALLOWED"
    summary = "The occurrence is inside a single, longer token."
    message = "{pattern} is inside a longer token of {text}"
    start_severity = 0.7
    EXAMPLE = HazardExample(text="hello", pattern="l", method="count", context="bare", spans=((2, 3), (3, 4)))
    UNTOUCHED = HazardExample(text="_a", pattern="_", method="find")

    def member_mask(self, spots: OccurrenceArray) -> Bools:
        return spots.one_token & (spots.start_cut | spots.end_cut)

    def why(self, batch: QuestionBatch, row: int, start: int, end: int) -> str:
        (token,) = batch.texts.tokens_at(row, start, end)
        return f"it is inside the single token {batch.format_tokens((token,))}; {super().why(batch, row, start, end)}"
