"""Packed linear layers compute what torch's do."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch is missing (extra model)")

import torch
from torch import nn

from runner.backends.transformers.packed_linear import PackedLinear, pack_linear_layers

pytestmark = pytest.mark.model


@pytest.mark.parametrize("shape", [(1, 1, 24), (3, 7, 24), (2, 300, 24), (5, 24)])
@pytest.mark.parametrize("bias", [False, True])
def test_a_packed_layer_computes_the_same(shape: tuple[int, ...], bias: bool) -> None:
    torch.manual_seed(0)
    plain, inputs = nn.Linear(24, 40, bias=bias), torch.randn(shape)
    with torch.inference_mode():
        torch.testing.assert_close(PackedLinear(plain)(inputs), plain(inputs))


class _Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(10, 8)
        self.inner = nn.Sequential(nn.Linear(8, 8), nn.ReLU())
        self.head = nn.Linear(8, 10, bias=False)
        self.head.weight = self.embed.weight


def test_all_linear_layers_are_replaced_and_a_tied_table_stays() -> None:
    model = _Tied()
    table = model.embed.weight.clone()
    wanted = model.head(torch.ones(2, 8))
    pack_linear_layers(model)
    assert not any(type(module) is nn.Linear for module in model.modules())
    assert torch.equal(model.embed.weight, table)
    torch.testing.assert_close(model.head(torch.ones(2, 8)), wanted)
