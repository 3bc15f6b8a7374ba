"""PHANTOM: part of the pattern's tokens, or a variant of one, stands where the pattern does not occur.

The paper's Figure 3, right: `' BaB '.rfind(' B ')` is -1, but `B` and ` ` stand side by side. A variant differs by case
or by a leading space.
"""

from __future__ import annotations

import numpy as np

from analyze.hazards.base import Example, Hazard, Hits, full
from analyze.hazards.batch import Batch
from analyze.tokens.token_spans import Bools
from analyze.tokens.token_variants import variants_of


class Phantom(Hazard):
    """From half of the severity, for one token of many, to all of it, where every token of the pattern stands about."""

    name = "PHANTOM"
    summary = "Tokens of the pattern, or variants of them, stand where it does not occur."
    start_severity = 0.4
    EXAMPLE = Example(text=" BaB ", pattern=" B ", method="rfind", context="bare", spans=((3, 4),))
    UNTOUCHED = Example(text="xyz", pattern=" B ", method="rfind", context="bare")

    def find(self, batch: Batch) -> Hits:
        queries, tokens = batch.queries, batch.texts.tokens
        if not queries.patterns:
            return Hits.of(())
        variant = variants_of(batch.engine.tokenizer)
        asked = np.flatnonzero(queries.index >= 0)
        stands, row = batch.texts.inner_tokens(asked)
        free = ~_touched(batch)[stands]
        stands, row = stands[free], row[free]
        families = int(variant.max()) + 1
        owner = np.repeat(np.arange(len(queries.patterns)), np.diff(queries.alone.first))
        wanted = np.unique(owner * families + variant[queries.alone.ids])
        key = queries.index[row] * families + variant[tokens.ids[stands]]
        found = np.isin(key, wanted)
        stands, row, key = stands[found], row[found], key[found]
        if not len(row):
            return Hits.of(())
        # Of each row the first such token is reported, and how many of the pattern's kinds of tokens stand about.
        rows, at = np.unique(row, return_index=True)
        order = np.lexsort((key, row))
        fresh = np.concatenate(([True], (np.diff(row[order]) != 0) | (np.diff(key[order]) != 0)))
        shares = np.bincount(row[order][fresh], minlength=len(batch))[rows]
        kinds = np.bincount(wanted // families, minlength=len(queries.patterns))[queries.index[rows]]
        spans = [batch.texts.characters_of(int(r), int(token)) for r, token in zip(rows, stands[at], strict=True)]
        start, end = np.array(spans, dtype=np.int64).T
        return Hits(rows, full(self.severity * (0.5 + 0.5 * shares / kinds), len(rows)), start, end)

    def why(self, batch: Batch, row: int, start: int, end: int) -> str:
        here, alone = batch.texts.tokens_at(row, start, end), batch.alone(row)
        return f"{batch.show(here)} stands apart from any occurrence, and the pattern alone is {batch.show(alone)}"


def _touched(batch: Batch) -> Bools:
    """For each token of the texts, whether it touches an occurrence."""
    depth = np.zeros(len(batch.texts.tokens.ids) + 1, dtype=np.int64)
    np.add.at(depth, batch.spots.first, 1)
    np.add.at(depth, batch.spots.last + 1, -1)
    touched: Bools = np.cumsum(depth)[:-1] > 0
    return touched
