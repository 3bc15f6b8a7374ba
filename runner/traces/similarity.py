"""MinHash signatures of programs (datasketch): estimates of the Jaccard similarity of their shingles.

A shingle is 5 normalized tokens, with names that a program may choose replaced. `runner.traces.index` keeps the bands
of the signatures (locality-sensitive hashing) on disk, so that memory does not grow with the data set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from corpora.reading.optional_packages import require_package
from runner.traces.normalized_tokens import ngrams

SHINGLE = 5
PERMUTATIONS = 128
FAMILY_SIMILARITY = 0.7
"""Programs whose estimated similarity is at least this are in one family, hence in one split."""


def minhash(tokens: Sequence[str]) -> bytes:
    """The signature of a program, given by its anonymous tokens.

    Raises:
        InputError: datasketch is not installed.
    """
    signature = _signature()
    signature.clear()  # a new one would draw its permutations again
    signature.update_batch(sorted(ngrams(tokens, SHINGLE)))
    return np.asarray(signature.hashvalues, dtype="<u4").tobytes()


def similarity(one: bytes, other: bytes) -> float:
    """The estimated Jaccard similarity of two programs, given by their signatures."""
    return float(np.mean(np.frombuffer(one, "<u4") == np.frombuffer(other, "<u4")))


def bands(signature: bytes) -> Iterator[bytes]:
    """The bands of a signature. Programs of FAMILY_SIMILARITY or more most probably have one in common."""
    values = np.frombuffer(signature, "<u4")
    for start, end in _ranges():
        yield values[start:end].tobytes()


@cache
def _signature() -> Any:
    return require_package("datasketch", "traces", where="traces").MinHash(num_perm=PERMUTATIONS, seed=1)


@cache
def _ranges() -> list[tuple[int, int]]:
    """Where bands start and end, as datasketch chooses them for the threshold."""
    datasketch = require_package("datasketch", "traces", where="traces")
    return list(datasketch.MinHashLSH(threshold=FAMILY_SIMILARITY, num_perm=PERMUTATIONS).hashranges)
