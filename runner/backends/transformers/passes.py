"""One forward pass over a batch: at every position asked for, what the model would write, and by how much.

The head runs in chunks, so that the logits of a long trace are never held at once: 32 thousand positions of CWM's
vocabulary would be 8 GB in bf16. Not in scope: decide what to ask for (`lanes`, `model`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from runner.asking.generation import Sampling, Scores
from runner.backends.transformers.chance import Place, perturbed
from runner.backends.transformers.slots import Slots

_LOGITS = 1 << 26
"""How many logits are held at once: 256 MB in float32."""


def forward(
    model: Any,
    slots: Slots,
    blocks: Sequence[Sequence[int]],
    starts: Sequence[int],
    first: Sequence[int],
    draws: Sequence[Sampling | None] | None = None,
) -> list[Scores]:
    """The choices after blocks[row][first[row]:], each block standing at starts[row] of its row.

    Row r has a choice after each of its tokens from first[r] on, none where first[r] is its length. Shorter blocks are
    filled up; what that writes lies beyond their row's end and is overwritten. draws: of each row that is sampled;
    without them all choices are greedy.
    """
    width = max(map(len, blocks))
    ids = torch.tensor([[*block, *[0] * (width - len(block))] for block in blocks], device=model.device)
    with torch.inference_mode():
        positions, masks = slots.expect(starts, width, model.device)
        hidden = model.model(
            input_ids=ids, attention_mask=masks, position_ids=positions, past_key_values=slots, use_cache=True
        ).last_hidden_state
        counts = [max(0, len(block) - start) for block, start in zip(blocks, first, strict=True)]
        rows = torch.arange(len(blocks)).repeat_interleave(torch.tensor(counts))
        columns = torch.cat([torch.arange(start, start + count) for start, count in zip(first, counts, strict=True)])
        chosen = hidden[rows.to(hidden.device), columns.to(hidden.device)]
        best, gaps = choices(model, chosen, _places(draws or [None] * len(blocks), starts, first, counts))
    ends = [sum(counts[: row + 1]) for row in range(len(counts))]
    return [
        Scores(tuple(best[end - count : end]), tuple(gaps[end - count : end]))
        for end, count in zip(ends, counts, strict=True)
    ]


def _places(
    draws: Sequence[Sampling | None], starts: Sequence[int], first: Sequence[int], counts: Sequence[int]
) -> list[Place | None]:
    """Of every choice, in the order of the rows: the token that is chosen stands one behind the one it is read off."""
    return [
        None if draw is None else (draw, start + place + index + 1)
        for draw, start, place, count in zip(draws, starts, first, counts, strict=True)
        for index in range(count)
    ]


def choices(model: Any, hidden: torch.Tensor, places: Sequence[Place | None]) -> tuple[list[int], list[float]]:
    """The argmax of each of `hidden` (positions x width), and how far it is ahead of the second, in nats."""
    best: list[int] = []
    gaps: list[float] = []
    size = max(1, _LOGITS // model.config.vocab_size)
    for start in range(0, len(hidden), size):
        logits = perturbed(model.lm_head(hidden[start : start + size]).float(), places[start : start + size])
        # `argmax` takes the first of equals, as greedy decoding does; `topk` need not.
        best += logits.argmax(-1).tolist()
        two = logits.topk(2, dim=-1).values
        gaps += (two[:, 0] - two[:, 1]).tolist()
    return best, gaps
