"""One forward pass over a batch: the model's choice at each requested position, and its margin.

The output layer runs in chunks, so that the logits of a long trace are never in memory at once: 32 thousand positions
with CWM's vocabulary would take 8 GB in bf16. `speculative_decoding` and `model` decide what to process.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from runner.asking.generation import Sampling, Scores
from runner.backends.transformers.gumbel_noise import Place, perturbed
from runner.backends.transformers.kv_cache import KvCache

_LOGITS = 1 << 26
"""Maximum number of logits in memory: 256 MB in float32."""


def forward(
    model: Any,
    cache: KvCache,
    blocks: Sequence[Sequence[int]],
    starts: Sequence[int],
    first: Sequence[int],
    draws: Sequence[Sampling | None] | None = None,
) -> list[Scores]:
    """The choices after each token of blocks[row][first[row]:].

    Shorter blocks are padded. The padding writes keys and values beyond the end of their row, which later passes
    overwrite.

    Args:
        model: a `CwmForCausalLM`.
        cache: its KV cache.
        blocks: token ids per row.
        starts: the position of each block in its row.
        first: the index in each block of the first token with a choice; none if it is the block's length.
        draws: sampling settings per row (default: greedy).
    """
    width = max(map(len, blocks))
    ids = torch.tensor([[*block, *[0] * (width - len(block))] for block in blocks], device=model.device)
    with torch.inference_mode():
        positions, masks = cache.expect(starts, width, model.device)
        hidden = model.model(
            input_ids=ids, attention_mask=masks, position_ids=positions, past_key_values=cache, use_cache=True
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


def score(model: Any, ids: Sequence[int], start: int, block: int) -> Scores:
    """The greedy choices in place of ids[start:], and after the last token. block: number of tokens per pass."""
    cache = KvCache(model.config, 1, block, rows=1)
    best: list[int] = []
    gaps: list[float] = []
    for first in range(0, len(ids), block):
        part = list(ids[first : first + block])
        (found,) = forward(model, cache, [part], [first], [min(len(part), max(0, start - 1 - first))])
        best += found.best
        gaps += found.margins
    return Scores(tuple(best), tuple(gaps))


def _places(
    draws: Sequence[Sampling | None], starts: Sequence[int], first: Sequence[int], counts: Sequence[int]
) -> list[Place | None]:
    """The position of each choice, row by row: one after the token whose output it is."""
    return [
        None if draw is None else (draw, start + place + index + 1)
        for draw, start, place, count in zip(draws, starts, first, counts, strict=True)
        for index in range(count)
    ]


def choices(model: Any, hidden: torch.Tensor, places: Sequence[Place | None]) -> tuple[list[int], list[float]]:
    """The argmax for each of `hidden` (positions x width), and its margin over the second choice, in nats."""
    best: list[int] = []
    gaps: list[float] = []
    size = max(1, _LOGITS // model.config.vocab_size)
    for start in range(0, len(hidden), size):
        logits = perturbed(model.lm_head(hidden[start : start + size]).float(), places[start : start + size])
        # `argmax` takes the first of equal logits, like greedy decoding; `topk` may not.
        best += logits.argmax(-1).tolist()
        two = logits.topk(2, dim=-1).values
        gaps += (two[:, 0] - two[:, 1]).tolist()
    return best, gaps
