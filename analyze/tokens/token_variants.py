"""Groups tokens that differ by case or a leading space only, which a model may confuse."""

from __future__ import annotations

from functools import cache

import numpy as np

from analyze.tokens.engines import Ids
from analyze.tokens.offsets import GAP
from analyze.tokens.tokenizer import Tokenizer


class VariantFamilies:
    """The families of a tokenizer's tokens: those of one family are equal in lower case without one leading space.

    A token's family is computed when it is first asked for, since most tokens occur in no string.

    Args:
        tokenizer: The tokenizer.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._families: dict[bytes | None, int] = {None: 0}
        self._numbers = np.full(1, 0, dtype=np.int64)  # the last entry is that of GAP, -1

    @property
    def count(self) -> int:
        """The number of families so far: an upper bound of their numbers."""
        return len(self._families)

    def of(self, ids: Ids) -> Ids:
        """Returns the number of each id's family."""
        most = int(ids.max(initial=GAP)) + 1
        if most >= len(self._numbers):
            self._numbers = np.append(self._numbers[:-1], [*[-1] * (most + 1 - len(self._numbers)), 0])
        for token in np.unique(ids[self._numbers[ids] < 0]).tolist():
            self._numbers[token] = self._families.setdefault(self._likeness(token), len(self._families))
        return self._numbers[ids]

    def _likeness(self, token: int) -> bytes:
        text = self._tokenizer.token_bytes(token)
        text = text.removeprefix(b"##").replace("▁".encode(), b" ") if not self._tokenizer.is_byte_level else text
        # bytes.lower changes ASCII only, so it is safe for tokens that are incomplete UTF-8.
        return (text[1:] if len(text) > 1 and text.startswith(b" ") else text).lower()


@cache
def variant_families(tokenizer: Tokenizer) -> VariantFamilies:
    """Returns the families of a tokenizer, one object per process."""
    return VariantFamilies(tokenizer)
