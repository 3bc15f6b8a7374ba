"""CWM through Hugging Face transformers: an id or a local folder.

    loading               loads weights and tokenizer, or raises an InputError with the reason
    model                 greedy decoding, sampling and scoring
    speculative_decoding  verifies drafts in one pass and decodes the rest
    forward_pass          one pass over a batch: the choice and its margin at each position
    kv_cache              a KV cache with per-row lengths and rollback
    gumbel_noise          seeded sampling that does not depend on the batch

torch is not imported before a model is loaded.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runner.asking.backend import Backend

SPEC = "a folder with weights, a Hugging Face id (facebook/cwm)"


def claims(spec: str) -> bool:
    """Whether a value of `--model` is an existing folder, or has the form of a Hugging Face id."""
    looks_like_an_id = spec.count("/") == 1 and all(spec.split("/")) and ":" not in spec and not spec.startswith(".")
    return bool(spec and Path(spec).is_dir()) or looks_like_an_id


def load(spec: str, device: str | None = None) -> Backend:
    """Loads weights and tokenizer. Raises InputError if they are not available."""
    from runner.backends.transformers.loading import load as load_weights

    return load_weights(spec, device)
