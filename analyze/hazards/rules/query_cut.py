"""QUERY_CUT: the pattern itself is cut, or merged with a quote, where it is written."""

from __future__ import annotations

import numpy as np

from analyze.hazards.base import Hazard, HazardExample, HazardHits
from analyze.hazards.batch import QuestionBatch


class QueryCutHazard(Hazard):
    """In `f('a-.-.b', '-.')`, token 14863 (`-.`) does not occur: the pattern is tokenized as `'-` and `.')`."""

    name = "QUERY_CUT"
    summary = "The pattern itself is cut, or merged with a quote, where it is written."
    message = "{pattern} is cut, or shares a token with its surroundings, where it is written"
    families = "all but WordPiece, which makes each punctuation mark a token of its own"
    start_severity = 0.3
    looks_at = "pattern"
    EXAMPLE = HazardExample(text="a-.-.b", pattern="-.", method="rsplit", context="source", spans=((0, 2),))
    UNTOUCHED = HazardExample(text="a-.-.b", pattern="-.", method="rsplit", context="bare")

    def find(self, batch: QuestionBatch) -> HazardHits:
        queries = batch.queries
        if not queries.patterns:
            return HazardHits.from_tuples(())
        a, b = queries.placed.edges
        tokens = queries.placed.tokens
        cut = ~(tokens.is_boundary(a) & tokens.is_boundary(b))
        rows = np.flatnonzero(queries.index >= 0)
        rows = rows[cut[queries.index[rows]]]
        return self.hits(rows, np.zeros_like(rows), queries.placed.sizes[queries.index[rows]])

    def why(self, batch: QuestionBatch, row: int, start: int, end: int) -> str:
        written = batch.queries.placed.inner_ids(int(batch.queries.index[row]))
        return f"where the pattern is written, its tokens are {batch.format_tokens(written)}"
