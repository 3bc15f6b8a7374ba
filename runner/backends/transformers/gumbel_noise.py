"""Sampling as greedy decoding with noise: the argmax of logits + T·g is a sample of softmax(logits / T).

g is Gumbel noise (Gumbel 1954; the "Gumbel-max trick"), seeded for each position by the answer's seed and the position
alone. So the choice at a position depends only on its logits, not on the batch, and not on whether it is decoded or
scored. Speculative verification of sampled answers is therefore the same as of greedy ones. The noise is generated on
the device: CPU and GPU sample different answers with the same seed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import torch
from transformers import LogitsProcessor

from runner.asking.generation import Prompt, Sampling

Place = tuple[Sampling, int]
"""Sampling settings, and the position of the token to choose, counted from the start of the prompt."""


def perturbed(logits: torch.Tensor, places: Sequence[Place | None]) -> torch.Tensor:
    """Adds noise to the logits (places x vocabulary, float32) of each place that is not None."""
    if not any(places):
        return logits
    generator = torch.Generator(logits.device)
    noisy = logits.clone()
    for row, place in zip(noisy, places, strict=True):
        if place is not None:
            draw, index = place
            generator.manual_seed(_seed(draw.seed, index))
            # -log of an exponential variable has a Gumbel distribution.
            row -= draw.temperature * torch.empty_like(row).exponential_(generator=generator).log()
    return noisy


def _seed(seed: int, index: int) -> int:
    """A seed of 32 bits; torch's generator on the CPU uses no more."""
    return int.from_bytes(hashlib.sha256(f"{seed} {index}".encode()).digest()[:4])


class GumbelNoise(LogitsProcessor):
    """Adds noise in `generate`, for each row of a left-padded batch with prompts of `width` columns."""

    def __init__(self, prompts: Sequence[Prompt], width: int) -> None:
        self._prompts = prompts
        self._width = width

    def __call__(self, input_ids: torch.Tensor, scores: Any) -> Any:
        """Adds the noise of the next positions to the scores (rows x vocabulary)."""
        written = input_ids.shape[1] - self._width
        places = [None if p.sampling is None else (p.sampling, len(p.ids) + written) for p in self._prompts]
        return perturbed(scores.float(), places)
