"""EDGE: the first or last token of a string includes bytes of its surroundings, such as `'a` or `.')`."""

from __future__ import annotations

import numpy as np

from analyze.hazards.base import Hazard, HazardExample, HazardHits
from analyze.hazards.batch import QuestionBatch


class EdgeHazard(Hazard):
    """One hit for each end that is merged with the surroundings; never in the bare context."""

    name = "EDGE"
    summary = "The first or last token includes bytes of the surroundings."
    message = "the first or last character of {text} shares a token with its surroundings"
    families = "all but WordPiece, which makes each punctuation mark a token of its own"
    start_severity = 0.3
    EXAMPLE = HazardExample(text="a-.", spans=((2, 3),))
    UNTOUCHED = HazardExample(text="a-.", context="bare")

    def find(self, batch: QuestionBatch) -> HazardHits:
        sizes = batch.texts.sizes
        rows = np.flatnonzero(sizes > 0)
        a, b = (edge[rows] for edge in batch.texts.edges)
        before = rows[~batch.texts.tokens.is_boundary(a)]
        after = rows[~batch.texts.tokens.is_boundary(b)]
        start = np.concatenate((np.zeros_like(before), sizes[after] - 1))
        return self.hits(np.concatenate((before, after)), start, start + 1)

    def why(self, batch: QuestionBatch, row: int, start: int, end: int) -> str:
        here = batch.texts.tokens_at(row, start, end)
        return f"{batch.format_tokens(here[:1] if start == 0 else here[-1:])} joins it with its surroundings"
