"""Tokens that differ by case or by a leading space only: what a model may take one for the other.

What it does not do: any other likeness (accents, homoglyphs).
"""

from __future__ import annotations

from functools import cache

import numpy as np

from analyze.tokens.engines import Ids
from analyze.tokens.tokenizer import Tokenizer


@cache
def variant_families(tokenizer: Tokenizer) -> Ids:
    """For each id the number of its family: the tokens that are equal in lower case without one leading space."""
    family: dict[bytes, int] = {}
    numbers = np.zeros(max(tokenizer.bytes_by_id) + 1, dtype=np.int64)
    for token, text in tokenizer.bytes_by_id.items():
        likeness = text[1:] if len(text) > 1 and text.startswith(b" ") else text
        # bytes.lower lowers ASCII alone, which is safe inside tokens that are no whole UTF-8.
        numbers[token] = family.setdefault(likeness.lower(), len(family))
    return numbers
