"""Causal attention in blocks of queries, for training on the CPU: plain matrix products, each over what its block sees.

Eager attention makes all scores, half of which causality throws away; the fused kernel leaves them out, but its
backward pass is slow on a CPU. Not in scope: windows (training's texts are shorter), padding at the left, or
generation.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.nn.functional import softmax
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

NAME = "causal_blocks"
# Queries in a block: enough for fast matrix products, few enough to leave out most of what is not seen.
BLOCK = 128


# Not compiled with the rest: every number of blocks would be compiled anew.
@torch.compiler.disable  # type: ignore[untyped-decorator]  # torch has no types for it
def causal_blocks(
    _module: object,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    _mask: object,
    scaling: float,
    **_: Any,
) -> tuple[torch.Tensor, None]:
    """query, key, value: [documents, heads, tokens, width]; gives [documents, tokens, heads, width] and no weights."""
    later = torch.full((BLOCK, BLOCK), float("-inf"), dtype=query.dtype, device=query.device).triu(1)
    query = query * scaling
    seen = []
    for start in range(0, query.shape[2], BLOCK):
        queries = query[:, :, start : start + BLOCK]
        size = queries.shape[2]
        scores = queries @ key[:, :, : start + size].transpose(-1, -2)
        scores[..., start:] += later[:size, :size]
        seen.append(softmax(scores, dim=-1).to(value.dtype) @ value[:, :, : start + size])
    return torch.cat(seen, dim=2).transpose(1, 2), None


ALL_ATTENTION_FUNCTIONS.register(NAME, causal_blocks)
