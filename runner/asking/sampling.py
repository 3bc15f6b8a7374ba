"""Indices and seeds of sampled answers.

The seed of an answer depends only on its prompt and index. So an answer does not depend on the batch or run, answers to
different questions are independent, and more samples per question do not change the first ones.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from runner.asking.generation import Sampling

_BITS = 31


def answer_indices(temperature: float, num_samples: int) -> tuple[int | None, ...]:
    """The indices of the answers to each question; `(None,)` for greedy decoding."""
    return tuple(range(num_samples)) if temperature else (None,)


def sampling_for(temperature: float, number: int | None, ids: Sequence[int], salt: str = "") -> Sampling | None:
    """The sampling settings of an answer; None for greedy decoding.

    Args:
        temperature: sampling temperature.
        number: index of the answer; None for greedy decoding.
        ids: tokens of the prompt.
        salt: changes the seed, for a second, independent answer (default: none).
    """
    if number is None:
        return None
    digest = hashlib.sha256(json.dumps([number, list(ids), *([salt] if salt else [])]).encode()).digest()
    return Sampling(temperature, number, int.from_bytes(digest[:4]) >> (32 - _BITS))
