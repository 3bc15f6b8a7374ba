"""Sampled answers: which of a question's answers is meant, and the seed of its chance.

An answer's seed comes from its prompt and its number alone. So it is the same answer in whatever batch or run it is
asked for, answers to different questions are independent, and more of them leave the first ones as they are.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from runner.asking.generation import Sampling

_BITS = 31


def numbers(temperature: float, seeds: int) -> tuple[int | None, ...]:
    """The numbers of the answers to each question: one without a number where it is answered greedily."""
    return tuple(range(seeds)) if temperature else (None,)


def draw_of(temperature: float, number: int | None, ids: Sequence[int], salt: str = "") -> Sampling | None:
    """How the answer of this number is drawn; None for a greedy one.

    Args:
        temperature: of sampling.
        number: of the answer.
        ids: of the prompt.
        salt: of a second, independent answer to the same prompt (default: none).
    """
    if number is None:
        return None
    digest = hashlib.sha256(json.dumps([number, list(ids), *([salt] if salt else [])]).encode()).digest()
    return Sampling(temperature, number, int.from_bytes(digest[:4]) >> (32 - _BITS))
