"""CASE: token boundaries move when a method changes the case of characters."""

from __future__ import annotations

from analyze.hazards.base import Hazard, HazardExample, HazardHits
from analyze.hazards.batch import QuestionBatch
from analyze.hazards.match_positions import CASE_METHODS


class CaseHazard(Hazard):
    """The value is the share of inner token boundaries that only the string before or only the one after has."""

    name = "CASE"
    summary = "Token boundaries move under upper, lower, title, swapcase and similar methods."
    message = "{method} moves the token boundaries of {text}"
    families = "all but uncased WordPiece, which lowers the case before it tokenizes"
    start_severity = 1.0
    EXAMPLE = HazardExample(text="hello world", method="upper", result="HELLO WORLD", spans=((0, 11),))
    UNTOUCHED = HazardExample(text="a b c", method="upper", result="A B C")

    def find(self, batch: QuestionBatch) -> HazardHits:
        found: list[tuple[int, float, int, int]] = []
        for row, number in batch.result_number.items():
            question = batch.questions[row]
            if question.method in CASE_METHODS and question.result:
                value = moved_boundary_share(batch, row, number)
                if value > 0:
                    found.append((row, min(1.0, self.severity * value), 0, len(question.text)))
        return HazardHits.from_tuples(found)

    def why(self, batch: QuestionBatch, row: int, start: int, end: int) -> str:
        before, after = batch.texts.inner_ids(row), batch.results.inner_ids(batch.result_number[row])
        share = f"{moved_boundary_share(batch, row, batch.result_number[row]):.0%} of the boundaries move"
        return f"{share}: {batch.format_tokens(before)} becomes {batch.format_tokens(after)}"


def moved_boundary_share(batch: QuestionBatch, row: int, number: int) -> float:
    """Returns the share of boundaries that move.

    It is 1 if the length changes (as with ß), because all later boundaries move.
    """
    if len(batch.texts.texts[row]) != len(batch.results.texts[number]):
        return 1.0
    before, after = batch.texts.inner_boundaries(row), batch.results.inner_boundaries(number)
    return len(before ^ after) / len(before | after) if before | after else 0.0
