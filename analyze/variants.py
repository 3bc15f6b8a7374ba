"""Tokens that differ by case or by a leading space only: what a model may take one for the other.

What it does not do: any other likeness (accents, homoglyphs).
"""

from __future__ import annotations

from functools import cache

import numpy as np

from analyze.engines import Ids
from analyze.tokenizer import Tokenizer


@cache
def variants_of(tokenizer: Tokenizer) -> Ids:
    """For each id the number of its family: the tokens that are equal in lower case without one leading space."""
    vocabulary = tokenizer.reference.get_vocab()
    family: dict[bytes, int] = {}
    numbers = np.zeros(max(vocabulary.values()) + 1, dtype=np.int64)
    for token in vocabulary.values():
        text = tokenizer.token_bytes(token)
        if len(text) > 1 and text.startswith(b" "):
            text = text[1:]
        # bytes.lower lowers ASCII alone, which is safe inside tokens that are no whole UTF-8.
        numbers[token] = family.setdefault(text.lower(), len(family))
    return numbers
