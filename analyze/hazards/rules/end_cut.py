"""END_CUT: a token crosses the end of the occurrence."""

from __future__ import annotations

from analyze.hazards.base import HazardExample, PositionHazard
from analyze.hazards.batch import OccurrenceArray
from analyze.tokens.token_spans import Bools


class EndCutHazard(PositionHazard):
    """A token crosses the end of the occurrence, which is no token boundary."""

    name = "END_CUT"
    summary = "A token crosses the end of the occurrence."
    message = "a token crosses the end of {pattern} in {text}"
    start_severity = 0.5
    EXAMPLE = HazardExample(text="a-.-.b", pattern="-.", method="split", spans=((1, 3),))
    UNTOUCHED = HazardExample(text="a-.", pattern="-.", method="find", context="bare")

    def member_mask(self, spots: OccurrenceArray) -> Bools:
        return ~spots.start_cut & spots.end_cut & ~spots.one_token
