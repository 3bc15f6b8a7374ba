"""CWM through Hugging Face transformers: an id, a local folder, or the embedded `pocket`.

    loading.py  weights and vocabulary, or an InputError with the reason
    model.py    `generate` of transformers, `score`, and answers with drafts
    slots.py    keys and values of a batch in which each row is somewhere else, and can be set back
    passes.py   one forward pass over such a batch: the greedy choice and its gap at every position, head in chunks
    lanes.py    answers with drafts: one pass says how far a draft is right; decoding starts only where it is not
    gpu_check   `make gpu-check`: what verifying and decoding cost on this machine's GPU

Nothing of torch is imported before a model is loaded.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runner.asking.backend import Backend

SPEC = "pocket, a folder with weights, a Hugging Face id (facebook/cwm)"
EXTRA = "model"


def claims(spec: str) -> bool:
    """Whether a spec names weights: `pocket`, a folder that is there, or what looks like an id of the hub."""
    looks_like_an_id = spec.count("/") == 1 and all(spec.split("/")) and ":" not in spec and not spec.startswith(".")
    return spec == "pocket" or bool(spec and Path(spec).is_dir()) or looks_like_an_id


def load(spec: str, device: str | None = None) -> Backend:
    """Loads weights and vocabulary. Raises InputError, in one line, if they are not available."""
    from runner.backends.transformers.loading import load as load_weights

    return load_weights(spec, device)
