"""The architecture of `pocket`: a small `CwmForCausalLM` with alternating full and sliding attention, as in CWM.

Architecture and initialization only. `runner.pocket.train` trains, `runner.backends.transformers` decodes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from transformers import CwmConfig, CwmForCausalLM
from transformers.utils import logging as transformers_logging

from analyze.tokens.tokenizer import Tokenizer
from runner.asking.prompts import FORMATS_KEY

# Maximum context in tokens. Within the window, sliding attention equals full attention.
POSITIONS = 4096
WINDOW = 2048
# The size of the coordinate that all embeddings share, in standard deviations of the others; the sharpness of the first
# layer's heads at initialization, and the number of their fastest rotations that are used.
COMMON = 8.0
SHARPNESS = 6.0
FAST = 8
# Any: the class has untyped methods.
_CWM: Any = CwmForCausalLM


def pocket_config(tokenizer: Tokenizer, *, hidden: int = 256, layers: int = 5, inner: int = 384) -> Any:
    """A `CwmConfig` with heads of width 64. The return type is Any, since transformers has no precise types.

    Args:
        tokenizer: gives the size of the vocabulary and the special tokens.
        hidden: width of the hidden states.
        layers: number of layers.
        inner: width of the MLP.
    """
    end = tokenizer.special_id("<|end_of_text|>")
    config = CwmConfig(
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
        # For positions up to a few thousand, the RoPE base is 10,000 as in the first Llama, instead of CWM's million.
        rope_parameters={"rope_type": "default", "rope_theta": 10_000.0},
        bos_token_id=tokenizer.special_id("<|begin_of_text|>"),
        eos_token_id=end,
        pad_token_id=end,
    )
    setattr(config, FORMATS_KEY, ["bare"])
    return config


def new_model(config: Any, seed: int) -> Any:
    """A model with seeded random weights, whose first layer attends to the previous tokens.

    Any: transformers has no precise types.
    """
    torch.manual_seed(seed)
    model = _CWM(config)
    with torch.no_grad():
        _look_back(model)
    return model


def _look_back(model: Any) -> None:
    """Initializes head 0, 1, 2, … of the first layer as attention to the token 1, 2, 3, … positions before.

    Most of a trace is copied, and the source of the copy is found by its preceding tokens. Such heads also emerge in
    training, but late. All embeddings share one large coordinate, which has no effect on the tied output layer. With
    queries and keys that depend on it alone, the score under RoPE is the sum of
    cos((distance - places) * frequency).
    """
    config, attention = model.config, model.model.layers[0].self_attn
    width, half = config.head_dim, config.head_dim // 2
    model.model.embed_tokens.weight[:, 0] = COMMON * config.initializer_range
    # The value of the shared coordinate after the first norm.
    common = COMMON / ((config.hidden_size - 1 + COMMON**2) / config.hidden_size) ** 0.5
    frequencies = model.model.rotary_emb.inv_freq
    # Only fast rotations distinguish neighbours; slow ones would add a large score that varies with the norm.
    fast = SHARPNESS / common * (torch.arange(half) < FAST)
    for head in range(config.num_attention_heads):
        angles = (head + 1) * frequencies
        rows = slice(head * width, (head + 1) * width)
        attention.q_proj.weight[rows] = 0
        attention.k_proj.weight[rows] = 0
        attention.q_proj.weight[rows, 0] = torch.cat([fast * angles.cos(), -fast * angles.sin()])
        attention.k_proj.weight[rows, 0] = torch.cat([fast, torch.zeros(half)])


def save_weights(model: Any, folder: Path) -> None:
    """Saves the weights in bf16 for `from_pretrained`; the model itself is unchanged."""
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    half = _CWM(model.config).to(torch.bfloat16)
    half.load_state_dict(model.state_dict())
    half.save_pretrained(folder)
