"""The 25 string functions of Yuan et al. (2025), each alone: the atomic test of the paper (Appendix B.2).

The programs are those of `composition` at depth 1, with SIZE calls of every function instead of a draw among them. The
paper composes the functions of which a model gets 90 % right.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from corpora.benchmarks.composition import MAX_TOKENS as MAX_TOKENS
from corpora.benchmarks.composition import alone, pool_of
from corpora.errors import InputError
from corpora.program import Case

SUMMARY = "the 25 string functions alone, SIZE calls each (paper, Appendix B.2)"


def cases(size: int = 10, seed: int = 0, pool: str = "all", expected: bool = True) -> Iterator[Case]:
    """`size` calls of each function of a pool (`composition`); `kind` is its name. InputError for an unknown pool."""
    if size < 0:
        raise InputError(f"the atomic test has size >= 0, not {size=}")
    for function in pool_of(pool):
        for number in range(size):
            chance = random.Random(f"atomic {function} {seed} {number}")
            yield alone(function, chance, f"{seed}-{number}", expected=expected)
