"""Optimizers (Muon for the matrices of the layers, AdamW for embeddings and norms) and the learning-rate schedule.

Both optimizers are torch's. The schedule is linear warmup, constant, and linear decay to zero at the end of the budget.
Peak learning rates and the budget are not part of the optimizer state, so that a run may be resumed with other ones.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.optim import AdamW, Muon, Optimizer

WARM_UP = 100


def optimizers(model: Any, muon: float, adam: float) -> list[Optimizer]:
    """Two Muon instances with half of the matrices each, for two threads, and AdamW for the other weights.

    Args:
        model: the model.
        muon: peak learning rate of Muon.
        adam: peak learning rate of AdamW.
    """
    named = dict(model.named_parameters())
    inner = [weight for name, weight in named.items() if weight.ndim == 2 and ".layers." in name]
    outer = [weight for name, weight in named.items() if weight.ndim != 2 or ".layers." not in name]
    return [
        *(Muon(half, lr=muon, momentum=0.95, weight_decay=0.0) for half in (inner[::2], inner[1::2])),
        AdamW(outer, lr=adam, betas=(0.9, 0.95), weight_decay=0.0),
    ]


def learning_rate(step: int, left: float, decay: float) -> float:
    """The factor on the peak learning rates, from 0 to 1.

    Args:
        step: number of the step, from 0.
        left: remaining fraction of the budget.
        decay: the last fraction of the budget, over which the rates decay.
    """
    return max(0.0, min(1.0, (step + 1) / WARM_UP, left / decay))


def set_learning_rate(optimizer: Optimizer, factor: float) -> None:
    """Sets the learning rate of each group to its peak times the factor."""
    for group in optimizer.param_groups:
        group["lr"] = optimizer.defaults["lr"] * factor


class Average:
    """The exponential moving average of a model's weights, which is better than the last weights."""

    def __init__(self, model: Any, keep: float) -> None:
        self.keep = keep
        self.weights = [weight.detach().clone() for weight in model.parameters()]

    def update(self, model: Any, step: int) -> None:
        """Updates the average; faster in the first steps, so that the initialization has no effect."""
        keep = min(self.keep, (step + 1) / (step + 10))
        with torch.no_grad():
            torch._foreach_lerp_(self.weights, list(model.parameters()), 1 - keep)

    def swap(self, model: Any) -> None:
        """Exchanges the model's weights with the average; a second call undoes the first."""
        with torch.no_grad():
            for own, other in zip(self.weights, model.parameters(), strict=True):
                kept = own.clone()
                own.copy_(other)
                other.copy_(kept)
