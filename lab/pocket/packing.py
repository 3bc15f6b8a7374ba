"""Packs documents into rows of equal length, in an order that depends on a seed only."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import torch

from lab.pocket.adapted_model import Rows
from lab.pocket.documents import TraceDocument

OPEN = 200
"""Rows that are filled at the same time."""
_FULL = 24
"""A row with fewer free tokens is complete."""


def pack(documents: Sequence[TraceDocument], length: int, seed: str) -> list[list[TraceDocument]]:
    """Documents of at most `length` tokens, in rows: each goes into the first open row with enough room."""
    rng = Random(seed)
    order = list(documents)
    rng.shuffle(order)
    complete: list[list[TraceDocument]] = []
    rows: list[tuple[int, list[TraceDocument]]] = []
    for document in order:
        size = len(document.ids)
        place = next((place for place, (used, _) in enumerate(rows) if used + size <= length), None)
        used, row = rows.pop(place) if place is not None else (0, [])
        row.append(document)
        if used + size > length - _FULL:
            complete.append(row)
        else:
            rows.append((used + size, row))
        if len(rows) > OPEN:
            complete.append(rows.pop(0)[1])
    complete += [row for _, row in rows]
    rng.shuffle(complete)
    return complete


def stack(rows: Sequence[Sequence[TraceDocument]], length: int) -> Rows:
    """Rows of documents as tensors. Only the trace of a document counts for the loss."""
    shape = (len(rows), length)
    ids, targets = torch.zeros(shape, dtype=torch.long), torch.full(shape, -100)
    positions, segments = torch.zeros(shape, dtype=torch.long), torch.full(shape, -1, dtype=torch.int32)
    for number, row in enumerate(rows):
        start = 0
        for segment, document in enumerate(row):
            size, end = len(document.ids), start + len(document.ids)
            ids[number, start:end] = torch.tensor(document.ids)
            targets[number, start + document.prompt - 1 : end - 1] = torch.tensor(document.ids[document.prompt :])
            positions[number, start:end] = torch.arange(size)
            segments[number, start:end] = segment
            start = end
    return Rows(ids, targets, positions, segments)
