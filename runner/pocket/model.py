"""The shape of `pocket`: a small `CwmForCausalLM`, full and sliding attention in turns as in the 32B model.

Only the shape and its random start; training is `runner.pocket.train`, asking is `runner.backends.transformers`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from transformers import CwmConfig, CwmForCausalLM

from analyze.tokenizer import Tokenizer

# Longest text that the positions are meant for, in tokens. Within the window sliding attention equals full attention.
POSITIONS = 4096
WINDOW = 2048
# Any: the class has untyped methods.
_CWM: Any = CwmForCausalLM


def pocket_config(tokenizer: Tokenizer, *, hidden: int = 256, layers: int = 5, inner: int = 384) -> Any:
    """A CwmConfig. hidden, inner: widths; heads are 64 wide. Any: transformers' configs are typed too loosely."""
    end = tokenizer.special_id("<|end_of_text|>")
    return CwmConfig(
        vocab_size=tokenizer.reference.get_vocab_size(),
        hidden_size=hidden,
        intermediate_size=inner,
        num_hidden_layers=layers,
        num_attention_heads=hidden // 64,
        num_key_value_heads=hidden // 64,
        head_dim=64,
        max_position_embeddings=POSITIONS,
        sliding_window=WINDOW,
        tie_word_embeddings=True,
        # Positions reach no further than a few thousand, so the base is that of the first Llama, not CWM's million.
        rope_parameters={"rope_type": "default", "rope_theta": 10_000.0},
        bos_token_id=tokenizer.special_id("<|begin_of_text|>"),
        eos_token_id=end,
        pad_token_id=end,
    )


def new_model(config: Any, seed: int) -> Any:
    """A model with random weights, the same for the same seed. Any: transformers' models are typed too loosely."""
    torch.manual_seed(seed)
    return _CWM(config)


def save_weights(model: Any, folder: Path) -> None:
    """The weights in bf16, with their shape, where `from_pretrained` finds them; the model itself stays as it is."""
    half = _CWM(model.config).to(torch.bfloat16)
    half.load_state_dict(model.state_dict())
    half.save_pretrained(folder)
