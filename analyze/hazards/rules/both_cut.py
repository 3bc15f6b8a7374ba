"""BOTH_CUT: tokens cross both ends of the occurrence, and at least two tokens touch it."""

from __future__ import annotations

from analyze.hazards.base import HazardExample, PositionHazard
from analyze.hazards.batch import OccurrenceArray
from analyze.tokens.token_spans import Bools


class BothCutHazard(PositionHazard):
    """Tokens cross both ends of the occurrence, and at least two tokens touch it."""

    name = "BOTH_CUT"
    summary = "Tokens cross both ends of the occurrence, and at least two tokens touch it."
    message = "tokens cross both ends of {pattern} in {text}"
    start_severity = 0.8
    EXAMPLE = HazardExample(text=".-.-", pattern="-.", method="find", context="bare", spans=((1, 3),))
    UNTOUCHED = HazardExample(text="a-.-.b", pattern="-.", method="split")

    def member_mask(self, spots: OccurrenceArray) -> Bools:
        return spots.start_cut & spots.end_cut & ~spots.one_token
