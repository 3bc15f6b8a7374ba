"""SINGLE_SPLIT: the pattern alone is one token, the occurrence is several (the paper's Figure 3, left)."""

from __future__ import annotations

import numpy as np

from analyze.hazards.base import Example, Hazard, Hits, full
from analyze.hazards.batch import Batch


class SingleSplit(Hazard):
    """Comes on top of the class of the occurrence: the model must see one symbol in a sequence that never shows it."""

    name = "SINGLE_SPLIT"
    summary = "The pattern alone is one token, the occurrence is several."
    start_severity = 0.2
    EXAMPLE = Example(text="a-.-.b", pattern="-.", method="rsplit", spans=((1, 3), (3, 5)))
    UNTOUCHED = Example(text="a-.", pattern="-.", method="rsplit", context="bare")

    def find(self, batch: Batch) -> Hits:
        spots = batch.spots
        at = np.flatnonzero(spots.query_single & ~spots.one_token)
        return Hits(spots.rows[at], full(self.severity, len(at)), spots.start[at], spots.end[at])

    def why(self, batch: Batch, row: int, start: int, end: int) -> str:
        here, alone = batch.texts.tokens_at(row, start, end), batch.alone(row)
        return f"alone it is the one token {batch.show(alone)}; here {len(here)} tokens touch it: {batch.show(here)}"
