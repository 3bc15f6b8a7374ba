"""MATCH: the occurrence has the pattern's own tokens, so the tokenization hides nothing."""

from __future__ import annotations

from analyze.hazards.base import HazardExample, PositionHazard
from analyze.hazards.batch import OccurrenceArray, QuestionBatch
from analyze.tokens.token_spans import Bools


class MatchHazard(PositionHazard):
    """The reference class: the occurrence has the pattern's own tokens."""

    name = "MATCH"
    summary = "The occurrence has the pattern's own tokens: no hazard (the reference class)."
    message = "{pattern} has its own tokens in {text}"
    start_severity = 0.0
    EXAMPLE = HazardExample(text="x->y", pattern="->", method="split", spans=((1, 3),))
    UNTOUCHED = HazardExample(text="a-.-.b", pattern="-.", method="split")

    def member_mask(self, spots: OccurrenceArray) -> Bools:
        return spots.equal & ~spots.start_cut & ~spots.end_cut

    def why(self, batch: QuestionBatch, row: int, start: int, end: int) -> str:
        return "its tokens are those of the pattern alone"
