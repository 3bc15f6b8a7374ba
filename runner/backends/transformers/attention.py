"""Attention of a decoding step without copies of keys and values; an attention function of transformers.

Several heads attend to the same keys and values (grouped queries). With a mask, transformers repeats keys and values
for each head: a step of 32 rows copied 1.3 s worth of memory on two cores, where attention itself takes 0.07 s. Here
the heads of a group become further queries of one head.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

FOLDED = "folded"
"""Its name in transformers."""


def attend_folded(
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    mask: torch.Tensor | None,
    **settings: Any,
) -> tuple[torch.Tensor, None]:
    """Attention as torch computes it (`scaled_dot_product_attention`).

    Args:
        module: the layer.
        query: [rows, heads, tokens, width].
        key: [rows, groups of heads, slots, width].
        value: as `key`.
        mask: bool [rows, 1, tokens, slots]: what a token sees; None for causal attention.
        settings: `scaling` of the scores, and what else transformers gives.

    Returns:
        [rows, tokens, heads, width], and no weights.
    """
    if mask is None:
        plain: tuple[torch.Tensor, None] = sdpa_attention_forward(module, query, key, value, None, **settings)
        return plain
    rows, heads, tokens, width = query.shape
    groups, slots = key.shape[1], key.shape[2]
    folded = query.reshape(rows, groups, -1, width)
    seen = mask.expand(-1, heads // groups, -1, -1).reshape(rows, 1, -1, slots)
    found = functional.scaled_dot_product_attention(folded, key, value, seen, scale=settings["scaling"])
    return found.view(rows, heads, tokens, width).transpose(1, 2).contiguous(), None


AttentionInterface.register(FOLDED, attend_folded)
AttentionMaskInterface.register(FOLDED, sdpa_mask)  # without it, transformers would give no mask
