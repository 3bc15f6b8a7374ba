"""PHANTOM: some of the pattern's tokens, or variants of them, are in the text outside every occurrence.

The paper's Figure 3, right: `' BaB '.rfind(' B ')` is -1, but `B` and ` ` are adjacent tokens. A variant differs by
case or by a leading space.
"""

from __future__ import annotations

import numpy as np

from analyze.hazards.base import Hazard, HazardExample, HazardHits
from analyze.hazards.batch import QuestionBatch
from analyze.tokens.token_spans import Bools
from analyze.tokens.token_variants import variant_families


class PhantomHazard(Hazard):
    """The severity grows with the share of the pattern's tokens that are found: from half of it to all of it."""

    name = "PHANTOM"
    summary = "Tokens of the pattern, or variants of them, are in the text where the pattern does not occur."
    message = "tokens of {pattern} are in {text} where it does not occur"
    start_severity = 0.4
    EXAMPLE = HazardExample(text=" BaB ", pattern=" B ", method="rfind", context="bare", spans=((3, 4),))
    UNTOUCHED = HazardExample(text="xyz", pattern=" B ", method="rfind", context="bare")

    def find(self, batch: QuestionBatch) -> HazardHits:
        queries, tokens = batch.queries, batch.texts.tokens
        if not queries.patterns:
            return HazardHits.from_tuples(())
        variant = variant_families(batch.engine.tokenizer)
        asked = np.flatnonzero(queries.index >= 0)
        found_tokens, row = batch.texts.inner_tokens(asked)
        free = ~_touched(batch)[found_tokens]
        found_tokens, row = found_tokens[free], row[free]
        owner = np.repeat(np.arange(len(queries.patterns)), np.diff(queries.alone.first))
        sought, family = variant.of(queries.alone.ids), variant.of(tokens.ids[found_tokens])
        families = variant.count
        wanted = np.unique(owner * families + sought)
        # Most tokens are in no pattern of the batch: a table excludes them before pairs are compared.
        likely = np.isin(family, sought, kind="table")
        found_tokens, row, family = found_tokens[likely], row[likely], family[likely]
        key = queries.index[row] * families + family
        found = np.isin(key, wanted)
        found_tokens, row, key = found_tokens[found], row[found], key[found]
        if not len(row):
            return HazardHits.from_tuples(())
        # Each row reports its first such token. The severity depends on how many of the pattern's tokens were found.
        rows, at = np.unique(row, return_index=True)
        order = np.lexsort((key, row))
        fresh = np.concatenate(([True], (np.diff(row[order]) != 0) | (np.diff(key[order]) != 0)))
        shares = np.bincount(row[order][fresh], minlength=len(batch))[rows]
        kinds = np.bincount(wanted // families, minlength=len(queries.patterns))[queries.index[rows]]
        start, end = batch.texts.characters_of(rows, found_tokens[at])
        return self.hits(rows, start, end, 0.5 + 0.5 * shares / kinds)

    def why(self, batch: QuestionBatch, row: int, start: int, end: int) -> str:
        here = batch.format_tokens(batch.texts.tokens_at(row, start, end))
        alone = batch.format_tokens(batch.query_ids(row))
        return f"{here} is outside every occurrence; the pattern alone is {alone}"


def _touched(batch: QuestionBatch) -> Bools:
    """Returns, for each token of the texts, whether it touches an occurrence."""
    size = len(batch.texts.tokens.ids) + 1
    depth = np.bincount(batch.occurrences.first_token, minlength=size)
    depth -= np.bincount(batch.occurrences.last_token + 1, minlength=size)
    touched: Bools = np.cumsum(depth)[:-1] > 0
    return touched
