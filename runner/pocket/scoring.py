"""Exact-match accuracy of traces from one forward pass, without decoding.

If the most likely token is the reference token at every position of the trace, greedy decoding writes exactly that
trace. Final answers of other traces require decoding (`spellout run`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from runner.pocket.batches import grouped, stack
from runner.pocket.data import Document


@dataclass(frozen=True)
class Score:
    """The number of tokens of a document's trace, and of those that are the most likely token."""

    document: Document
    right: int
    tokens: int

    @property
    def exact(self) -> bool:
        """Whether every token was the most likely one."""
        return self.right == self.tokens


def score(model: Any, documents: Sequence[Document], *, tokens: int = 4096) -> list[Score]:
    """The score of each document, ordered by length. tokens: maximum number of padded tokens in a pass."""
    model.eval()
    scores: list[Score] = []
    for group in grouped(documents, tokens):
        batch = stack(group, pad=0)
        with torch.inference_mode():
            best = model(input_ids=batch.ids.to(model.device), use_cache=False).logits.argmax(-1).cpu()
        right = ((best[:, :-1] == batch.ids[:, 1:]) & batch.learnt[:, 1:]).sum(1)
        learnt = batch.learnt.sum(1)
        scores += [Score(one, int(a), int(b)) for one, a, b in zip(group, right, learnt, strict=True)]
    return scores


def exact_by_family(scores: Sequence[Score]) -> dict[str, float]:
    """The fraction of exact traces by kind, without depth or length ("boolean", "S3"), and for "all"."""
    total, exact = Counter[str](), Counter[str]()
    for one in scores:
        for name in (one.document.kind.split(",")[0], "all"):
            total[name] += 1
            exact[name] += one.exact
    return {name: exact[name] / total[name] for name in sorted(total)}
