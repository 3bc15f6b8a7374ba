"""INCONSISTENT: occurrences of one pattern in one string have different tokens."""

from __future__ import annotations

import numpy as np

from analyze.hazards.base import Hazard, HazardExample, HazardHits
from analyze.hazards.batch import QuestionBatch, equal_runs


class InconsistentHazard(Hazard):
    """Concerns a whole row: the same characters look different to the model at different places."""

    name = "INCONSISTENT"
    summary = "Occurrences of one pattern in one string have different tokens."
    message = "occurrences of {pattern} in {text} have different tokens"
    start_severity = 0.2
    EXAMPLE = HazardExample(text="a-.-.b", pattern="-.", method="count", spans=((1, 5),))
    UNTOUCHED = HazardExample(text="x->y->z", pattern="->", method="count")

    def find(self, batch: QuestionBatch) -> HazardHits:
        spots = batch.occurrences
        rows, start, counts = np.unique(spots.rows, return_index=True, return_counts=True)
        many = counts > 1
        rows, start, counts = rows[many], start[many], counts[many]
        spot = np.flatnonzero(np.isin(spots.rows, rows))
        lead = np.repeat(start, counts)
        size = spots.last_token - spots.first_token + 1
        same = size[spot] == size[lead]
        ids, first = batch.texts.tokens.ids, spots.first_token
        same[same] = equal_runs(ids, first[spot[same]], ids, first[lead[same]], size[spot[same]])
        differs = np.zeros(len(batch), dtype=bool)
        differs[spots.rows[spot[~same]]] = True
        at = np.flatnonzero(differs[rows])
        return self.hits(rows[at], spots.start[start[at]], spots.end[start[at] + counts[at] - 1])

    def why(self, batch: QuestionBatch, row: int, start: int, end: int) -> str:
        spots = batch.occurrences
        at = np.flatnonzero(spots.rows == row)
        seen = {batch.texts.tokens_at(row, int(spots.start[i]), int(spots.end[i])) for i in at}
        return "its occurrences are tokenized as " + " and as ".join(batch.format_tokens(ids) for ids in sorted(seen))
