"""CASE: token boundaries move when a method changes the case of characters."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analyze.hazards.base import Hazard, HazardExample, HazardHits
from analyze.hazards.batch import QuestionBatch
from analyze.hazards.match_positions import CASE_METHODS
from analyze.tokens.engines import Ids


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
        asked = [(row, batch.questions[row]) for row in batch.result_number]
        rows = [row for row, question in asked if question.method in CASE_METHODS and question.result]
        found = np.array(rows, dtype=np.int64)
        share = moved_boundary_shares(batch, found)
        found, share = found[share > 0], share[share > 0]
        return self.hits(found, np.zeros_like(found), batch.texts.sizes[found], share)

    def why(self, batch: QuestionBatch, row: int, start: int, end: int) -> str:
        before, after = batch.texts.inner_ids(row), batch.results.inner_ids(batch.result_number[row])
        share = f"{moved_boundary_shares(batch, np.array([row]))[0]:.0%} of the boundaries move"
        return f"{share}: {batch.format_tokens(before)} becomes {batch.format_tokens(after)}"


def moved_boundary_shares(batch: QuestionBatch, rows: Ids) -> NDArray[np.float64]:
    """Returns the share of boundaries that move, for rows that have a result.

    It is 1 if the length changes (as with ß), because all later boundaries move.
    """
    number = np.array([batch.result_number[row] for row in rows.tolist()], dtype=np.int64)
    row_of = np.array(list(batch.result_number), dtype=np.int64)
    row, character = batch.texts.inner_boundaries(rows)
    result, after = batch.results.inner_boundaries(number)
    width = int(batch.texts.sizes.max(initial=0)) + 1
    same_size = batch.texts.sizes[rows] == batch.results.sizes[number]
    kept = np.isin(row_of[result], rows[same_size])
    keys = np.unique(row * width + character), np.unique(row_of[result[kept]] * width + after[kept])
    either, times = np.unique(np.concatenate(keys), return_counts=True)
    common, total = (np.bincount(key // width, minlength=len(batch))[rows] for key in (either[times == 2], either))
    share = 1 - common / np.maximum(total, 1)
    return np.where(same_size, np.where(total > 0, share, 0.0), 1.0)
