"""SINGLE_SPLIT: the pattern alone is one token, but the occurrence is several (the paper's Figure 3, left)."""

from __future__ import annotations

import numpy as np

from analyze.hazards.base import Hazard, HazardExample, HazardHits
from analyze.hazards.batch import QuestionBatch


class SingleSplitHazard(Hazard):
    """Reported in addition to the occurrence's class: the model knows the pattern as a symbol that the text lacks."""

    name = "SINGLE_SPLIT"
    summary = "The pattern alone is one token, but the occurrence is several."
    message = "{pattern} is one token on its own, and several in {text}"
    start_severity = 0.2
    EXAMPLE = HazardExample(text="a-.-.b", pattern="-.", method="rsplit", spans=((1, 3), (3, 5)))
    UNTOUCHED = HazardExample(text="a-.", pattern="-.", method="rsplit", context="bare")

    def find(self, batch: QuestionBatch) -> HazardHits:
        spots = batch.occurrences
        at = np.flatnonzero(spots.query_single & ~spots.one_token)
        return self.hits(spots.rows[at], spots.start[at], spots.end[at])

    def why(self, batch: QuestionBatch, row: int, start: int, end: int) -> str:
        here, alone = batch.texts.tokens_at(row, start, end), batch.query_ids(row)
        single, several = batch.format_tokens(alone), batch.format_tokens(here)
        return f"alone it is the single token {single}; here {len(here)} tokens touch it: {several}"
