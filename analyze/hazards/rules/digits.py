"""DIGITS: a run of more than three digits, which Llama-3's pre-tokenizer splits into groups of three from the left."""

from __future__ import annotations

import re

from analyze.hazards.base import Hazard, HazardExample, HazardHits
from analyze.hazards.batch import QuestionBatch

_RUN = re.compile(r"\d{4,}")


class DigitsHazard(Hazard):
    """People group digits from the right, the tokenizer from the left: 1234567 becomes 123, 456, 7."""

    name = "DIGITS"
    summary = "A run of more than three digits."
    message = "{text} has a run of more than three digits"
    start_severity = 0.4
    EXAMPLE = HazardExample(text="a1234567", spans=((1, 8),))
    UNTOUCHED = HazardExample(text="123 456")

    def find(self, batch: QuestionBatch) -> HazardHits:
        return HazardHits.from_tuples((row, self.severity, start, end) for row, start, end in batch.texts.matches(_RUN))

    def why(self, batch: QuestionBatch, row: int, start: int, end: int) -> str:
        return f"{end - start} digits are tokenized as {batch.format_tokens(batch.texts.tokens_at(row, start, end))}"
