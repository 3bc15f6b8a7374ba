"""INCONSISTENT: occurrences of one pattern in one text have different tokens."""

from __future__ import annotations

import numpy as np

from analyze.hazards.base import Example, Hazard, Hits, full
from analyze.hazards.batch import Batch, equal_runs


class Inconsistent(Hazard):
    """Of a whole row: the same characters look different to the model at different places."""

    name = "INCONSISTENT"
    summary = "Occurrences of one pattern in one text have different tokens."
    start_severity = 0.2
    EXAMPLE = Example(text="a-.-.b", pattern="-.", method="count", spans=((1, 5),))
    UNTOUCHED = Example(text="x->y->z", pattern="->", method="count")

    def find(self, batch: Batch) -> Hits:
        spots = batch.spots
        rows, start, counts = np.unique(spots.rows, return_index=True, return_counts=True)
        many = counts > 1
        rows, start, counts = rows[many], start[many], counts[many]
        spot = np.flatnonzero(np.isin(spots.rows, rows))
        lead = np.repeat(start, counts)
        size = spots.last - spots.first + 1
        same = size[spot] == size[lead]
        ids = batch.texts.tokens.ids
        same[same] = equal_runs(ids, spots.first[spot[same]], ids, spots.first[lead[same]], size[spot[same]])
        differs = np.zeros(len(batch), dtype=bool)
        differs[spots.rows[spot[~same]]] = True
        at = np.flatnonzero(differs[rows])
        return Hits(
            rows[at], full(self.severity, len(at)), spots.start[start[at]], spots.end[start[at] + counts[at] - 1]
        )

    def why(self, batch: Batch, row: int, start: int, end: int) -> str:
        spots = batch.spots
        at = np.flatnonzero(spots.rows == row)
        seen = {batch.texts.tokens_at(row, int(spots.start[i]), int(spots.end[i])) for i in at}
        return "its occurrences stand as " + " and as ".join(batch.show(ids) for ids in sorted(seen))
