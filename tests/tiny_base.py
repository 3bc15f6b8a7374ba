"""A small random base model in a folder, as it would be downloaded: a Llama with a byte-level vocabulary."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
import transformers

from analyze.tokens.vocabulary import LLAMA3_PATTERN, from_ranks

SPECIAL = ("<unk>", *(f"<special_{number}>" for number in range(12)))
_TRANSFORMERS: Any = transformers


def write_base(folder: Path, *, special: tuple[str, ...] = SPECIAL, missing: bytes = b"", **config: Any) -> Path:
    """Writes weights and vocabulary. `missing`: bytes without a token; `config`: changes of the configuration."""
    ranks = {bytes([byte]): byte for byte in range(256) if byte not in missing}
    vocabulary = from_ranks(ranks, LLAMA3_PATTERN, list(special))
    _TRANSFORMERS.PreTrainedTokenizerFast(tokenizer_object=vocabulary).save_pretrained(folder)
    torch.manual_seed(0)
    settings = {
        "vocab_size": 288,
        "hidden_size": 64,
        "intermediate_size": 96,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
        "head_dim": 32,
        "tie_word_embeddings": True,
        "initializer_range": 0.2,
    }
    model = _TRANSFORMERS.LlamaForCausalLM(_TRANSFORMERS.LlamaConfig(**settings | config))
    model.to(torch.bfloat16).save_pretrained(folder)
    return folder
