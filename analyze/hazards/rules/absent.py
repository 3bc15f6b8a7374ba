"""ABSENT: the pattern occurs in the text, and none of its occurrences has the pattern's own tokens."""

from __future__ import annotations

import numpy as np

from analyze.hazards.base import Hazard, HazardExample, HazardHits, position_severity
from analyze.hazards.batch import QuestionBatch
from analyze.hazards.severity import fitted_effects


class AbsentHazard(Hazard):
    """Concerns a whole row; as severe as its worst occurrence until its own severity is fitted."""

    name = "ABSENT"
    summary = "The pattern occurs, but never with its own tokens."
    message = "{pattern} has no token of its own in {text}"
    start_severity = 1.0
    EXAMPLE = HazardExample(text="a-.-.b", pattern="-.", method="rsplit", spans=((1, 5),))
    UNTOUCHED = HazardExample(text=" BaB ", pattern=" B ", method="rfind")

    def find(self, batch: QuestionBatch) -> HazardHits:
        spots, size = batch.occurrences, len(batch)
        seen, matched, worst = np.zeros(size, dtype=bool), np.zeros(size, dtype=bool), np.zeros(size)
        seen[spots.rows] = True
        matched[spots.rows[spots.equal]] = True
        np.maximum.at(worst, spots.rows, position_severity(spots))
        rows = np.flatnonzero(seen & ~matched)
        first = np.searchsorted(spots.rows, rows, side="left")
        last = np.searchsorted(spots.rows, rows, side="right") - 1
        severity = np.full(len(rows), self.severity) if self.name in fitted_effects() else worst[rows]
        return HazardHits(rows, severity, spots.start[first], spots.end[last])

    def why(self, batch: QuestionBatch, row: int, start: int, end: int) -> str:
        alone, text = batch.query_ids(row), set(batch.texts.tokens.row_ids(row))
        missing = tuple(token for token in alone if token not in text)
        if not missing:
            return f"no occurrence has the tokens of the pattern alone, {batch.format_tokens(alone)}"
        kind = "token" if len(missing) == 1 else "tokens"
        verb = "is" if len(missing) == 1 else "are"
        return f"{kind} {batch.format_tokens(missing)} of the pattern alone {verb} nowhere in the text"
