"""Groups tokens that differ by case or a leading space only, which a model may confuse."""

from __future__ import annotations

from functools import cache

import numpy as np

from analyze.tokens.engines import Ids
from analyze.tokens.tokenizer import Tokenizer


@cache
def variant_families(tokenizer: Tokenizer) -> Ids:
    """Returns int64 [vocabulary]: the family of each id.

    Tokens of one family are equal in lower case without one leading space.
    """
    family: dict[bytes, int] = {}
    # The last entry is that of `analyze.tokens.offsets.GAP`, -1.
    numbers = np.zeros(max(tokenizer.bytes_by_id) + 2, dtype=np.int64)
    for token, text in tokenizer.bytes_by_id.items():
        text = text.removeprefix(b"##").replace("▁".encode(), b" ") if not tokenizer.is_byte_level else text
        likeness = text[1:] if len(text) > 1 and text.startswith(b" ") else text
        # bytes.lower changes ASCII only, so it is safe for tokens that are incomplete UTF-8.
        numbers[token] = family.setdefault(likeness.lower(), len(family))
    numbers[-1] = len(family)
    return numbers
