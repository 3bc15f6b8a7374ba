"""EDIT_RETOK: the output of a method shares few of its tokens, in order, with the input."""

from __future__ import annotations

from collections.abc import Sequence

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
        found: list[tuple[int, float, int, int]] = []
        for row, number in batch.result_number.items():
            question = batch.questions[row]
            if question.method in EDIT_METHODS and question.result:
                value = lcs_loss(batch.texts.inner_ids(row), batch.results.inner_ids(number))
                if value >= MIN_LOSS:
                    found.append((row, min(1.0, self.severity * value), 0, len(question.text)))
        return HazardHits.from_tuples(found)

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
        used = state & masks.get(token, 0)
        state = ((state + used) | (state - used)) & everything
    return 1 - (len(before) - state.bit_count()) / len(after)
