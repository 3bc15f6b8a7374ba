"""Attention with the heads of a group folded is attention."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

pytest.importorskip("torch", reason="torch is missing (extra model)")

import torch
from torch.nn import functional

from runner.backends.transformers.attention import attend_folded

pytestmark = pytest.mark.model


@pytest.mark.parametrize(("heads", "groups"), [(6, 2), (4, 4), (3, 1)])
def test_folded_attention_is_that_of_repeated_keys(heads: int, groups: int) -> None:
    generator = torch.Generator().manual_seed(0)
    query = torch.randn(2, heads, 3, 8, generator=generator)
    key, value = (torch.randn(2, groups, 5, 8, generator=generator) for _ in range(2))
    mask = torch.tensor([[[[1, 0, 0, 0, 0], [1, 1, 0, 1, 0], [1, 1, 1, 1, 1]]], [[[0, 1, 0, 0, 0]] * 3]]).bool()
    module = SimpleNamespace(num_key_value_groups=heads // groups, is_causal=True)
    for seen in (mask, None):
        size = slice(None) if seen is not None else slice(3)
        keys, values = key[:, :, size], value[:, :, size]
        found, _ = attend_folded(module, query, keys, values, seen, scaling=0.3)
        wanted = functional.scaled_dot_product_attention(
            query, keys, values, seen, scale=0.3, is_causal=seen is None, enable_gqa=True
        )
        torch.testing.assert_close(found, wanted.transpose(1, 2))
