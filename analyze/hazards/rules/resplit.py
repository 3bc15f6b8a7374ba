"""RESPLIT: both ends of the occurrence are token boundaries, but the tokens between them are not the pattern's."""

from __future__ import annotations

from analyze.hazards.base import HazardExample, PositionHazard
from analyze.hazards.batch import OccurrenceArray, QuestionBatch
from analyze.tokens.token_spans import Bools


class ResplitHazard(PositionHazard):
    """Both ends of the occurrence are token boundaries, but the tokens between them are not the pattern's."""

    name = "RESPLIT"
    summary = "Both ends of the occurrence are token boundaries, but the tokens between them are not the pattern's."
    message = "{pattern} has other tokens in {text} than on its own"
    start_severity = 0.3
    EXAMPLE = HazardExample(text="t,=t", pattern="=t", method="find", spans=((2, 4),))
    UNTOUCHED = HazardExample(text="x->y", pattern="->", method="split")

    def member_mask(self, spots: OccurrenceArray) -> Bools:
        return ~spots.equal & ~spots.start_cut & ~spots.end_cut

    def why(self, batch: QuestionBatch, row: int, start: int, end: int) -> str:
        pattern = batch.questions[row].pattern or ""
        here, alone = batch.texts.tokens_at(row, start, end), batch.query_ids(row)
        return f"{pattern!r} is tokenized as {batch.format_tokens(here)} here and as {batch.format_tokens(alone)} alone"
