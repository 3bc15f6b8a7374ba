"""Tokens of many strings at once are those of each string."""

from __future__ import annotations

import numpy as np
import pytest

from analyze.tokens.contexts import Context
from analyze.tokens.engines import engine_for
from analyze.tokens.token_spans import StringsInContext
from analyze.tokens.tokenizer import default_tokenizer

TEXTS = ["", "a-.-.b", "", "it's é", '"', "\n", "hello world", ""]


@pytest.mark.parametrize("context", ["bare", "source", "trace"])
@pytest.mark.parametrize("rows", [[], [0], [0, 2, 7], [1, 2, 5], list(range(len(TEXTS)))])
def test_the_ids_of_many_rows_are_those_of_each_row(context: Context, rows: list[int]) -> None:
    strings = StringsInContext(TEXTS, engine_for(default_tokenizer()), context)
    found = strings.inner_lists(np.array(rows, dtype=np.int64))
    assert list(map(tuple, found)) == list(map(strings.inner_ids, rows))
