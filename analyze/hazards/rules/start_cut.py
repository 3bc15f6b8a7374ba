"""START_CUT: a token crosses the start of the occurrence."""

from __future__ import annotations

from analyze.hazards.base import HazardExample, PositionHazard
from analyze.hazards.batch import OccurrenceArray
from analyze.tokens.token_spans import Bools


class StartCutHazard(PositionHazard):
    """A token crosses the start of the occurrence, which is no token boundary."""

    name = "START_CUT"
    summary = "A token crosses the start of the occurrence."
    message = "a token crosses the start of {pattern} in {text}"
    start_severity = 0.5
    EXAMPLE = HazardExample(text="a-.-.b", pattern="-.", method="split", spans=((3, 5),))
    UNTOUCHED = HazardExample(text="x->y", pattern="->", method="split")

    def member_mask(self, spots: OccurrenceArray) -> Bools:
        return spots.start_cut & ~spots.end_cut & ~spots.one_token
