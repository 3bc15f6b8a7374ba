"""Micro-batches of documents of similar length, in a deterministic order.

The order depends on the seed and a position only, and each document is used once. A position (pool, index) identifies
the next micro-batch, so that training resumes exactly. `runner.pocket.data` chooses the programs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from random import Random
from typing import Protocol

import torch

from analyze.tokens.tokenizer import Tokenizer
from runner.pocket.data import LATE_WEIGHTS, WEIGHTS, Document, Kind, description, documents

# Documents that are sorted by length together: enough for batches of similar length, few enough for a quick start.
POOL = 1500
# Widths are rounded up to a multiple of this, which is faster.
ROUND = 16


@dataclass(frozen=True)
class Batch:
    """A micro-batch.

    Attributes:
        ids: int64 [documents, width], padded on the right.
        learnt: bool of the same shape: whether the prediction of a token counts for the loss (traces, but not prompts
            and padding).
    """

    ids: torch.Tensor
    learnt: torch.Tensor


@dataclass(frozen=True)
class Position:
    """Identifies the next micro-batch of a stream: its pool, and its index in the order of the pool."""

    pool: int = 0
    index: int = 0


def stack(documents: Sequence[Document], pad: int) -> Batch:
    """Stacks documents to a batch. pad: the id of the padding."""
    width = max(len(document.ids) for document in documents)
    width = -(-width // ROUND) * ROUND
    ids = torch.full((len(documents), width), pad, dtype=torch.int64)
    learnt = torch.zeros((len(documents), width), dtype=torch.bool)
    for row, document in enumerate(documents):
        ids[row, : len(document.ids)] = torch.tensor(document.ids)
        learnt[row, document.prompt : len(document.ids)] = True
    return Batch(ids, learnt)


def grouped(pool: Sequence[Document], tokens: int) -> list[list[Document]]:
    """Sorts the pool by length, and splits it into groups of at most `tokens` padded tokens or of one document."""
    groups: list[list[Document]] = []
    for document in sorted(pool, key=lambda document: len(document.ids)):
        if not groups or (len(groups[-1]) + 1) * len(document.ids) > tokens:
            groups.append([])
        groups[-1].append(document)
    return groups


def micro_batches(
    groups: Callable[[int], list[list[Document]]], pad: int, start: Position
) -> Iterator[tuple[Batch, Position]]:
    """An endless stream of micro-batches, each with the position after it.

    Args:
        groups: the documents of each micro-batch of a pool, by the number of the pool.
        pad: the id of the padding.
        start: the position of the first micro-batch.
    """
    for number in count(start.pool):
        first = start.index if number == start.pool else 0
        for index, group in enumerate(groups(number)[first:], first + 1):
            yield stack(group, pad), Position(number, index)


class BatchSource(Protocol):
    """The training data of a run."""

    @property
    def description(self) -> dict[str, str]:
        """What is drawn, in words by topic, for the record of the run."""
        ...

    def batches(self, start: Position) -> Iterator[tuple[Batch, Position]]:
        """Micro-batches from `start` on, endlessly, each with the position after it."""
        ...


@dataclass(frozen=True)
class PocketSource:
    """The programs of `runner.pocket.data`.

    Attributes:
        seed: random seed of programs and order.
        tokenizer: encodes the documents.
        tokens: maximum number of padded tokens of a micro-batch.
        late: whether the kinds are in the proportions of LATE_WEIGHTS.
    """

    seed: int
    tokenizer: Tokenizer
    tokens: int
    late: bool = False

    @property
    def description(self) -> dict[str, str]:
        """The kinds and their proportions."""
        return description(self._weights)

    @property
    def _weights(self) -> dict[Kind, int]:
        return LATE_WEIGHTS if self.late else WEIGHTS

    def batches(self, start: Position) -> Iterator[tuple[Batch, Position]]:
        """Micro-batches from `start` on."""
        return micro_batches(self._groups, self.tokenizer.special_id("<|end_of_text|>"), start)

    def _groups(self, number: int) -> list[list[Document]]:
        name = f"{self.seed}-{number}"
        pool = islice(documents(f"train-{name}", self.tokenizer, weights=self._weights), POOL)
        groups = grouped(list(pool), self.tokens)
        Random(f"order-{name}").shuffle(groups)
        return groups
