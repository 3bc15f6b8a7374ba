"""The 25 string functions of Yuan et al. (2025), one at a time: the atomic test of the paper (Appendix B.2).

The programs are those of `composition` at depth 1, with SIZE calls of every function. The paper composes the functions
of which a model gets 90 % right.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from corpora.benchmarks.composition import MAX_TOKENS as MAX_TOKENS
from corpora.benchmarks.composition import pool_functions, single_call
from corpora.errors import InputError
from corpora.program import Case

SUMMARY = "the 25 string functions alone, SIZE calls each (paper, Appendix B.2)"


def cases(size: int = 10, seed: int = 0, pool: str = "all", expected: bool = True) -> Iterator[Case]:
    """`size` calls of each function of a pool (`composition`). Raises InputError for an unknown pool.

    `kind` of a case is the name of its function.
    """
    if size < 0:
        raise InputError(f"the atomic test needs size >= 0, not {size=}")
    for function in pool_functions(pool):
        for number in range(size):
            chance = random.Random(f"atomic {function} {seed} {number}")
            yield single_call(function, chance, f"{seed}-{number}", expected=expected)
