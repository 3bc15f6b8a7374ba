"""UTF8_SPLIT: a token boundary inside a code point, or between a base character and its combining mark.

A trace writes a code point beyond ASCII as an escape, so a boundary inside `\\u00e9` counts too.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from itertools import groupby

from analyze.hazards.base import Hazard, HazardExample, HazardHits
from analyze.hazards.batch import QuestionBatch


class Utf8SplitHazard(Hazard):
    """Adjacent characters that are split are one hit."""

    name = "UTF8_SPLIT"
    summary = "A token boundary inside a code point, or between a base character and its combining mark."
    message = "a token boundary splits a character of {text}"
    families = "byte-level BPE, and SentencePiece with byte fallback; with WordPiece only in the escapes of a trace"
    start_severity = 0.5
    EXAMPLE = HazardExample(text="a🫠b", context="bare", spans=((1, 2),))
    UNTOUCHED = HazardExample(text="café", context="bare")

    def find(self, batch: QuestionBatch) -> HazardHits:
        found = []
        for row, question in enumerate(batch.questions):
            if not question.text.isascii():
                found += [(row, self.severity, start, end) for start, end in split_runs(batch, row)]
        return HazardHits.from_tuples(found)

    def why(self, batch: QuestionBatch, row: int, start: int, end: int) -> str:
        text = batch.questions[row].text[start:end]
        return f"{text!r} is tokenized as {batch.format_tokens(batch.texts.tokens_at(row, start, end))}"


def split_runs(batch: QuestionBatch, row: int) -> list[tuple[int, int]]:
    """Returns the runs of characters in a row's text that token boundaries split."""
    text, boundaries = batch.questions[row].text, batch.texts.tokens.boundaries(row)
    split = []
    for at, char in enumerate(text):
        if char.isascii():
            continue
        start, end = batch.texts.bytes_of(row, at, at + 1)
        inside = bisect_left(boundaries, end) > bisect_right(boundaries, start)
        parted = at > 0 and unicodedata.combining(char) and start in boundaries
        if inside or parted:
            split.append(at)
    # Adjacent positions have the same difference to their index in the list.
    runs = [[at for _, at in group] for _, group in groupby(enumerate(split), lambda pair: pair[1] - pair[0])]
    return [(run[0], run[-1] + 1) for run in runs]
