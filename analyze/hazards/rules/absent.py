"""ABSENT: the pattern occurs in the text, and none of its occurrences has the pattern's own tokens."""

from __future__ import annotations

import numpy as np

from analyze.hazards.base import Example, Hazard, Hits, full, position_severity
from analyze.hazards.batch import Batch
from analyze.hazards.severity import fitted


class Absent(Hazard):
    """Of a whole row; as severe as its worst occurrence, until its own severity is fitted."""

    name = "ABSENT"
    summary = "The pattern occurs, but never with its own tokens."
    start_severity = 1.0
    EXAMPLE = Example(text="a-.-.b", pattern="-.", method="rsplit", spans=((1, 5),))
    UNTOUCHED = Example(text=" BaB ", pattern=" B ", method="rfind")

    def find(self, batch: Batch) -> Hits:
        spots, size = batch.spots, len(batch)
        seen, matched, worst = np.zeros(size, dtype=bool), np.zeros(size, dtype=bool), np.zeros(size)
        seen[spots.rows] = True
        matched[spots.rows[spots.equal]] = True
        np.maximum.at(worst, spots.rows, position_severity(spots))
        rows = np.flatnonzero(seen & ~matched)
        first = np.searchsorted(spots.rows, rows, side="left")
        last = np.searchsorted(spots.rows, rows, side="right") - 1
        severity = full(self.severity, len(rows)) if self.name in fitted() else worst[rows]
        return Hits(rows, severity, spots.start[first], spots.end[last])

    def why(self, batch: Batch, row: int, start: int, end: int) -> str:
        alone, text = batch.alone(row), set(batch.texts.tokens.of(row))
        missing = tuple(token for token in alone if token not in text)
        if not missing:
            return f"the tokens of the pattern alone, {batch.show(alone)}, never stand where it occurs"
        kind = "token" if len(missing) == 1 else "tokens"
        return f"{kind} {batch.show(missing)} of the pattern alone stands nowhere in the text"
