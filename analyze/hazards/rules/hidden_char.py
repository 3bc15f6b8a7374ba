"""HIDDEN_CHAR: a one-character target or an index falls inside a longer token."""

from __future__ import annotations

import numpy as np

from analyze.hazards.base import Hazard, HazardExample, HazardHits
from analyze.hazards.batch import QuestionBatch

_SHARE_OF_LEAST = 3 / 7
_LONGEST = 8


class HiddenCharHazard(Hazard):
    """The severity grows with the token's length: three sevenths of it for two bytes, all of it for eight or more."""

    name = "HIDDEN_CHAR"
    summary = "A one-character target or an index falls inside a longer token."
    message = "a character that {method} looks at is inside a longer token of {text}"
    start_severity = 0.7
    EXAMPLE = HazardExample(text="hello", pattern="l", method="find", context="bare", spans=((2, 3),))
    UNTOUCHED = HazardExample(text="1,2", pattern=",", method="find", context="bare")

    def find(self, batch: QuestionBatch) -> HazardHits:
        spots = batch.occurrences
        one = np.flatnonzero((spots.end - spots.start == 1) & spots.one_token & (spots.start_cut | spots.end_cut))
        rows, start, first = [spots.rows[one]], [spots.start[one]], [spots.first_token[one]]
        cut = [(row, at) for row, question in enumerate(batch.questions) for at in question.cuts]
        cut = [(row, at) for row, at in cut if 0 <= at < len(batch.questions[row].text)]
        if cut:
            where = [batch.texts.bytes_of(row, at, at + 1) for row, at in cut]
            origin = batch.texts.tokens.origin[np.array([row for row, _ in cut])]
            a, b = (origin + np.array(column) for column in zip(*where, strict=True))
            inside = ~(batch.texts.tokens.is_boundary(a) & batch.texts.tokens.is_boundary(b))
            rows.append(np.array([row for row, _ in cut])[inside])
            start.append(np.array([at for _, at in cut])[inside])
            first.append(batch.texts.tokens.touching(a, b)[0][inside])
        at_rows, at_start, token = np.concatenate(rows), np.concatenate(start), np.concatenate(first)
        length = batch.texts.tokens.sizes[token]
        grade = _SHARE_OF_LEAST + (1 - _SHARE_OF_LEAST) * np.minimum(length - 2, _LONGEST - 2) / (_LONGEST - 2)
        return self.hits(at_rows, at_start, at_start + 1, grade)

    def why(self, batch: QuestionBatch, row: int, start: int, end: int) -> str:
        here = batch.texts.tokens_at(row, start, end)
        a, _ = batch.texts.bytes_of(row, start, end)
        boundaries = [0, *batch.texts.tokens.boundaries(row)]
        offset = a - max(boundary for boundary in boundaries if boundary <= a)
        length = len(batch.engine.tokenizer.token_bytes(here[0]))
        return f"it is at offset {offset} of the {length} bytes of {batch.format_tokens(here[:1])}"
