"""The number of threads of a model on the CPU is the faster one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402

from runner.backends.transformers.cpu_threads import choose_threads  # noqa: E402
from runner.backends.transformers.packed_linear import PackedLinear, pack_linear_layers  # noqa: E402

pytestmark = pytest.mark.model


@pytest.fixture(autouse=True)
def _threads() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


class Blocks(nn.Module):
    """What `choose_threads` reads of a model: `model.layers`."""

    def __init__(self) -> None:
        super().__init__()
        self.model = nn.Module()
        self.model.layers = nn.ModuleList([nn.Sequential(nn.Linear(8, 4), nn.Linear(4, 8))])


def packed() -> Any:
    blocks = Blocks()
    pack_linear_layers(blocks)
    return blocks


@pytest.mark.parametrize("fast", [1, 2])
def test_the_faster_number_is_set(monkeypatch: pytest.MonkeyPatch, fast: int) -> None:
    """On a clock by which each layer takes a second with one number of threads, and two with the other."""
    now = 0.0

    def forward(layer: PackedLinear, inputs: Any) -> Any:
        nonlocal now
        now += 1.0 if torch.get_num_threads() == fast else 2.0
        return inputs

    monkeypatch.setattr(PackedLinear, "forward", forward)
    monkeypatch.setattr(time, "perf_counter", lambda: now)
    torch.set_num_threads(2)
    assert choose_threads(packed()) == torch.get_num_threads() == fast


def test_one_thread_stays_one() -> None:
    torch.set_num_threads(1)
    assert choose_threads(packed()) == torch.get_num_threads() == 1


def test_without_packed_layers_nothing_is_chosen() -> None:
    torch.set_num_threads(2)
    assert choose_threads(Blocks()) == torch.get_num_threads() == 2
