"""DIGITS: a run of more than three digits, which Llama-3's pre-tokenizer splits into groups of three from the left."""

from __future__ import annotations

import numpy as np

from analyze.hazards.base import Hazard, HazardExample, HazardHits
from analyze.hazards.batch import QuestionBatch
from analyze.tokens.token_spans import Bools

MAX_GROUP = 3


class DigitsHazard(Hazard):
    """People group digits from the right, the tokenizer from the left: 1234567 becomes 123, 456, 7."""

    name = "DIGITS"
    summary = "A run of more than three digits."
    message = "{text} has a run of more than three digits"
    start_severity = 0.4
    EXAMPLE = HazardExample(text="a1234567", spans=((1, 8),))
    UNTOUCHED = HazardExample(text="123 456")

    def find(self, batch: QuestionBatch) -> HazardHits:
        is_digit = digit_mask(f"\n{batch.texts.joined}\n")
        edges = np.flatnonzero(is_digit[1:] != is_digit[:-1])
        start, end = edges.reshape(-1, 2).T
        long = end - start > MAX_GROUP
        rows, at = batch.texts.rows_at(start[long])
        return self.hits(rows, at, at + (end - start)[long])

    def why(self, batch: QuestionBatch, row: int, start: int, end: int) -> str:
        return f"{end - start} digits are tokenized as {batch.format_tokens(batch.texts.tokens_at(row, start, end))}"


def digit_mask(text: str) -> Bools:
    """Returns whether each character is a decimal digit of any script, as `\\d` is."""
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    mask: Bools = codes - np.uint32(ord("0")) < 10
    if not text.isascii():
        mask |= np.isin(codes, [ord(char) for char in set(text) if char.isdecimal()])
    return mask
