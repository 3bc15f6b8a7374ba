"""How weights move: Muon for the matrices inside the layers, AdamW for embeddings and norms, one learning-rate factor.

Both optimizers are torch's own. The factor rises over the first steps, stays, and falls to zero at the end of the
budget. Peaks and budget are not part of an optimizer's state: a run may be resumed with others.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.optim import AdamW, Muon, Optimizer

WARM_UP = 100


def optimizers(model: Any, muon: float, adam: float) -> list[Optimizer]:
    """Two Muon instances with half of the matrices each, so that two threads can step at once, and Adam for the rest.

    muon, adam: peak learning rates. Any: transformers' models are typed too loosely.
    """
    named = dict(model.named_parameters())
    inner = [weight for name, weight in named.items() if weight.ndim == 2 and ".layers." in name]
    outer = [weight for name, weight in named.items() if weight.ndim != 2 or ".layers." not in name]
    return [
        *(Muon(half, lr=muon, momentum=0.95, weight_decay=0.0) for half in (inner[::2], inner[1::2])),
        AdamW(outer, lr=adam, betas=(0.9, 0.95), weight_decay=0.0),
    ]


def learning_rate(step: int, left: float, decay: float) -> float:
    """The factor on the peak learning rates, 0 to 1.

    step: from 0; left: the share of the budget that is left; decay: the last share of it, over which the rates fall.
    """
    return max(0.0, min(1.0, (step + 1) / WARM_UP, left / decay))


def set_learning_rate(optimizer: Optimizer, factor: float) -> None:
    """Every group's learning rate: the peak that the optimizer was made with, times the factor."""
    for group in optimizer.param_groups:
        group["lr"] = optimizer.defaults["lr"] * factor


class Average:
    """The exponential moving average of a model's weights: usable at any time, better than the last weights."""

    def __init__(self, model: Any, keep: float) -> None:
        self.keep = keep
        self.weights = [weight.detach().clone() for weight in model.parameters()]

    def update(self, model: Any, step: int) -> None:
        """Move towards the model's weights; faster in the first steps, so that the random start is forgotten."""
        keep = min(self.keep, (step + 1) / (step + 10))
        with torch.no_grad():
            torch._foreach_lerp_(self.weights, list(model.parameters()), 1 - keep)

    def swap(self, model: Any) -> None:
        """Exchange the model's weights with the average; a second call undoes the first."""
        with torch.no_grad():
            for own, other in zip(self.weights, model.parameters(), strict=True):
                kept = own.clone()
                own.copy_(other)
                other.copy_(kept)
