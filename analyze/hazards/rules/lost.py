"""LOST: the encoding loses a character, so that another string has the same tokens."""

from __future__ import annotations

from analyze.hazards.base import Hazard, HazardExample, HazardHits
from analyze.hazards.batch import QuestionBatch
from analyze.tokens.lost_characters import find_lost_characters


class LostHazard(Hazard):
    """The string itself is checked, in every context: a context may write an escape, but a data set may not."""

    name = "LOST"
    summary = "The vocabulary loses a character: two different strings have one encoding."
    message = "a character of {text} is lost: another string has the same tokens"
    families = (
        "byte-level BPE without a token for some byte, and all families by their unknown token or by a normalizer; "
        "single spaces between words are not counted"
    )
    start_severity = 1.0
    is_error = True
    EXAMPLE = HazardExample(text="a\x04b", context="bare", spans=((1, 2),), missing=b"\x04")
    UNTOUCHED = HazardExample(text="a\x05b", context="bare", missing=b"\x04")

    def find(self, batch: QuestionBatch) -> HazardHits:
        tokenizer = batch.engine.tokenizer
        found = (
            (row, self.severity, one.start, one.end)
            for row, question in enumerate(batch.questions if batch.engine.has_offsets else ())
            for one in find_lost_characters(question.text, tokenizer)
        )
        return HazardHits.from_tuples(found)

    def why(self, batch: QuestionBatch, row: int, start: int, end: int) -> str:
        lost = find_lost_characters(batch.questions[row].text, batch.engine.tokenizer)
        return next(str(one) for one in lost if one.start <= start < one.end)
