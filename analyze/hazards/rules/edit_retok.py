"""EDIT_RETOK: the output of a method shares few of its tokens, in order, with the input."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analyze.hazards.base import Hazard, HazardExample, HazardHits
from analyze.hazards.batch import QuestionBatch
from analyze.hazards.match_positions import EDIT_METHODS

MIN_LOSS = 0.5


class EditRetokHazard(Hazard):
    """The value is 1 - LCS / tokens of the output; reported from `MIN_LOSS` on."""

    name = "EDIT_RETOK"
    summary = "The output of an edit shares few tokens with its input."
    message = "{method} replaces most tokens of {text}"
    start_severity = 1.0
    EXAMPLE = HazardExample(text="hello world", method="upper", result="HELLO WORLD", spans=((0, 11),))
    UNTOUCHED = HazardExample(text="one two three four", method="removesuffix", pattern=" four", result="one two three")

    def find(self, batch: QuestionBatch) -> HazardHits:
        edits = [
            (row, number)
            for row, number in batch.result_number.items()
            if (question := batch.questions[row]).result and question.method in EDIT_METHODS
        ]
        rows, numbers = np.array(edits, dtype=np.int64).reshape(-1, 2).T
        losses = map(lcs_loss, batch.texts.inner_lists(rows), batch.results.inner_lists(numbers))
        value = np.fromiter(losses, np.float64, len(rows))
        rows, value = rows[value >= MIN_LOSS], value[value >= MIN_LOSS]
        return self.hits(rows, np.zeros_like(rows), batch.texts.sizes[rows], value)

    def why(self, batch: QuestionBatch, row: int, start: int, end: int) -> str:
        output = batch.results.inner_ids(batch.result_number[row])
        kept = round((1 - lcs_loss(batch.texts.inner_ids(row), output)) * len(output))
        return f"{kept} of the output's tokens are kept from the input, in order: {batch.format_tokens(output)}"


def lcs_loss(before: Sequence[int], after: Sequence[int]) -> float:
    """Returns 1 - LCS(before, after) / len(after).

    >>> lcs_loss([1, 2, 3], [1, 3, 4, 5])
    0.5
    """
    # Hyyrö's bit-parallel LCS: one addition on integers of len(before) bits for each token of the output.
    masks: dict[int, int] = {}
    for position, token in enumerate(before):
        masks[token] = masks.get(token, 0) | 1 << position
    everything = (1 << len(before)) - 1
    state = everything
    for token in after:
        if token in masks:
            used = state & masks[token]
            state = ((state + used) | (state - used)) & everything
    return 1 - (len(before) - state.bit_count()) / len(after)
