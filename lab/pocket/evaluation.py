"""Held-out loss by kind of document and by kind of token, and the rate of exact traces."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from analyze.gold_trace.frames import ACTION_SEP, ARG_SEP, EVENT_SEP, FRAME_SEP
from analyze.tokens.tokenizer import Tokenizer
from lab.pocket.adapted_model import AdaptedModel
from lab.pocket.documents import TraceDocument
from lab.pocket.packing import pack, stack


@dataclass(frozen=True)
class Evaluation:
    """Results on held-out documents.

    Attributes:
        loss: mean loss per trace token, in nats.
        by_document: the same by kind of document ("typed", "real", "simple").
        by_token: the same by kind of token ("event", "state", "action", "return").
        exact: kind of document to the number of exact traces and of documents. A trace is exact if each of its tokens
            is the most likely one after the tokens before it, which is what greedy decoding writes.
    """

    loss: float
    by_document: Mapping[str, float]
    by_token: Mapping[str, float]
    exact: Mapping[str, tuple[int, int]]

    def as_dict(self) -> dict[str, Any]:
        """For a line of JSON; losses are rounded."""
        rounded = {name: round(value, 4) for name, value in self.by_document.items()}
        tokens = {name: round(value, 4) for name, value in self.by_token.items()}
        return {"loss": round(self.loss, 4), "by_document": rounded, "by_token": tokens, "exact": dict(self.exact)}

    def __str__(self) -> str:
        exact = ", ".join(f"{kind} {right}/{total}" for kind, (right, total) in self.exact.items())
        losses = ", ".join(f"{kind} {loss:.3f}" for kind, loss in {**self.by_document, **self.by_token}.items())
        return f"held-out loss {self.loss:.4f} ({losses}); exact: {exact}"


def token_kinds(document: TraceDocument, tokenizer: Tokenizer) -> list[str]:
    """The kind of each token of the trace: "state", "action", "return" (or exception), or "event" (separators)."""
    after = {tokenizer.special_id(name): "state" for name in EVENT_SEP.values()}
    after |= {tokenizer.special_id(ACTION_SEP): "action", tokenizer.special_id(ARG_SEP): "return"}
    separators = {*after, *(tokenizer.special_id(name) for name in (FRAME_SEP, "<|end_of_text|>"))}
    kinds, current = [], "event"
    for token in document.ids[document.prompt :]:
        kinds.append("event" if token in separators else current)
        current = after.get(token, current)
    return kinds


@torch.no_grad()
def evaluate(
    model: AdaptedModel, documents: Sequence[TraceDocument], tokenizer: Tokenizer, *, length: int, rows: int
) -> Evaluation:
    """Scores documents in rows of `length`, `rows` at a time."""
    losses: dict[str, list[float]] = defaultdict(list)
    exact: dict[str, list[bool]] = defaultdict(list)
    device = model.table.device
    packed = pack(documents, length, "evaluation")
    for start in range(0, len(packed), rows):
        some = packed[start : start + rows]
        full = [*some, *([[]] * (rows - len(some)))]  # compiled layers know one shape
        batch = stack(full, length).to(device)
        found = model.predictions(batch).cpu()
        offset = 0
        for document in (document for row in some for document in row):
            size = len(document.ids) - document.prompt
            part, offset = found[offset : offset + size], offset + size
            kind = document.kind.split()[0]
            exact[kind].append(part[:, 0].long().tolist() == list(document.ids[document.prompt :]))
            for token_kind, loss in zip(token_kinds(document, tokenizer), part[:, 1].tolist(), strict=True):
                losses[f"document {kind}"].append(loss)
                losses[f"token {token_kind}"].append(loss)
    return _summary(losses, exact)


def _summary(losses: Mapping[str, list[float]], exact: Mapping[str, list[bool]]) -> Evaluation:
    means = {name: sum(values) / len(values) for name, values in sorted(losses.items())}
    every = [loss for name, values in losses.items() if name.startswith("document ") for loss in values]
    return Evaluation(
        loss=sum(every) / max(1, len(every)),
        by_document={name[9:]: mean for name, mean in means.items() if name.startswith("document ")},
        by_token={name[6:]: mean for name, mean in means.items() if name.startswith("token ")},
        exact={kind: (sum(right), len(right)) for kind, right in sorted(exact.items())},
    )
