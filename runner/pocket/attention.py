"""Causal attention in blocks of queries, for training on the CPU.

Each block multiplies its queries only with the keys up to its end. Eager attention computes all scores, of which the
causal mask discards half; the fused kernel skips these, but its backward pass is slow on a CPU. Not supported: sliding
windows (training documents are shorter), left padding, generation.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.nn.functional import softmax
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

NAME = "causal_blocks"
# Queries per block: large enough for fast matrix products, small enough to skip most of the masked scores.
BLOCK = 128


# Not compiled: each number of blocks would need a compilation of its own.
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
    """Causal attention of query, key and value: [documents, heads, tokens, width].

    Returns:
        The attention output, [documents, tokens, heads, width], and None for the attention weights.
    """
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
