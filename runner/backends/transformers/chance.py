"""Sampling as greedy decoding with noise: the argmax of logits + T·g is a draw from softmax(logits / T).

g is Gumbel noise (Gumbel 1954; "the Gumbel-max trick"), drawn for each position from the answer's seed and the position
alone. So the choice at a place is a function of the logits there, whatever batch it stands in and whether it is decoded
or scored: a draft is verified against it exactly as against greedy decoding, and the text is that of plain sampling.
The noise is drawn on the device; CPU and GPU draw different answers from one seed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import torch
from transformers import LogitsProcessor

from runner.asking.generation import Prompt, Sampling

Place = tuple[Sampling, int]
"""A draw, and the index in prompt and answer together of the token that is chosen."""


def perturbed(logits: torch.Tensor, places: Sequence[Place | None]) -> torch.Tensor:
    """logits (places x vocabulary, float32) with the noise of each place; as they are where it is None."""
    if not any(places):
        return logits
    generator = torch.Generator(logits.device)
    noisy = logits.clone()
    for row, place in zip(noisy, places, strict=True):
        if place is not None:
            draw, index = place
            generator.manual_seed(_seed(draw.seed, index))
            # -log of an exponential variable is a Gumbel one.
            row -= draw.temperature * torch.empty_like(row).exponential_(generator=generator).log()
    return noisy


def _seed(seed: int, index: int) -> int:
    """32 bits, of which torch's generator on the CPU uses no more."""
    return int.from_bytes(hashlib.sha256(f"{seed} {index}".encode()).digest()[:4])


class Noise(LogitsProcessor):
    """What `generate` is given to sample: noise for each row of a left-padded batch of `width` columns."""

    def __init__(self, prompts: Sequence[Prompt], width: int) -> None:
        self._prompts = prompts
        self._width = width

    def __call__(self, input_ids: torch.Tensor, scores: Any) -> Any:
        """The scores (rows x vocabulary) with the noise of the places that are chosen next."""
        written = input_ids.shape[1] - self._width
        places = [None if p.sampling is None else (p.sampling, len(p.ids) + written) for p in self._prompts]
        return perturbed(scores.float(), places)
