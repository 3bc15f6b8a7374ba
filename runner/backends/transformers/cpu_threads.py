"""How many threads compute a model on the CPU: all of them or one, whichever a measurement says is faster.

Threads that share a core, or a core with another program, wait for each other longer than they compute: a decoding step
of a model of 135 million parameters took 2.4 times as long with two threads as with one on two virtual cores.
"""

from __future__ import annotations

import time
from typing import Any

import torch

from runner.backends.transformers.packed_linear import PackedLinear

ROWS = 32
"""Tokens of a decoding step on the CPU (`speculative_decoding.pass_sizes`)."""
_ROUNDS = 7


def choose_threads(model: Any) -> int:
    """Sets torch's number of threads to the faster one for the packed layers of a model's first block; returns it.

    What is measured is a small step, in which waiting weighs most. The fastest of some rounds counts, which other
    programs disturb least.
    """
    most = torch.get_num_threads()
    layers = [layer for layer in model.model.layers[0].modules() if isinstance(layer, PackedLinear)]
    if most == 1 or not layers:
        return most
    inputs = [torch.ones(ROWS, layer.width) for layer in layers]
    fastest = {count: float("inf") for count in (1, most)}
    for _ in range(_ROUNDS):
        for count in fastest:
            torch.set_num_threads(count)
            started = time.perf_counter()
            for layer, rows in zip(layers, inputs, strict=True):
                layer(rows)
            fastest[count] = min(fastest[count], time.perf_counter() - started)
    chosen = min(fastest, key=fastest.__getitem__)
    torch.set_num_threads(chosen)
    return chosen
