"""The shape of `pocket`: a small `CwmForCausalLM`, full and sliding attention in turns as in the 32B model.

Only the shape and its random start; training is `runner.pocket.train`, asking is `runner.backends.transformers`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from transformers import CwmConfig, CwmForCausalLM
from transformers.utils import logging as transformers_logging

from analyze.tokens.tokenizer import Tokenizer
from runner.asking.prompts import FORMATS_KEY

# Longest text that the positions are meant for, in tokens. Within the window sliding attention equals full attention.
POSITIONS = 4096
WINDOW = 2048
# How large the coordinate that all embeddings share is, in standard deviations of the others; and how sharply the
# first layer's heads look back, with how many of their fastest rotations.
COMMON = 8.0
SHARPNESS = 6.0
FAST = 8
# Any: the class has untyped methods.
_CWM: Any = CwmForCausalLM


def pocket_config(tokenizer: Tokenizer, *, hidden: int = 256, layers: int = 5, inner: int = 384) -> Any:
    """A CwmConfig. hidden, inner: widths; heads are 64 wide. Any: transformers' configs are typed too loosely."""
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
        # Positions reach no further than a few thousand, so the base is that of the first Llama, not CWM's million.
        rope_parameters={"rope_type": "default", "rope_theta": 10_000.0},
        bos_token_id=tokenizer.special_id("<|begin_of_text|>"),
        eos_token_id=end,
        pad_token_id=end,
    )
    setattr(config, FORMATS_KEY, ["bare"])
    return config


def new_model(config: Any, seed: int) -> Any:
    """A model with random weights, the same for the same seed, whose first layer looks at the tokens just before.

    Any: transformers' models are typed too loosely.
    """
    torch.manual_seed(seed)
    model = _CWM(config)
    with torch.no_grad():
        _look_back(model)
    return model


def _look_back(model: Any) -> None:
    """Start head 0, 1, 2, … of the first layer as attention to the token 1, 2, 3, … places before.

    A trace is mostly copied, and what is to be copied is found by the tokens before it; such heads appear by
    themselves, but late. All embeddings get one large coordinate in common, which a tied output layer does not see;
    queries and keys made from it alone score, under RoPE, the sum of cos((distance - places) * frequency).
    """
    config, attention = model.config, model.model.layers[0].self_attn
    width, half = config.head_dim, config.head_dim // 2
    model.model.embed_tokens.weight[:, 0] = COMMON * config.initializer_range
    # What the first norm makes of the common coordinate.
    common = COMMON / ((config.hidden_size - 1 + COMMON**2) / config.hidden_size) ** 0.5
    frequencies = model.model.rotary_emb.inv_freq
    # Only fast rotations tell neighbours apart; slow ones would add a large score that varies with the norm.
    fast = SHARPNESS / common * (torch.arange(half) < FAST)
    for head in range(config.num_attention_heads):
        angles = (head + 1) * frequencies
        rows = slice(head * width, (head + 1) * width)
        attention.q_proj.weight[rows] = 0
        attention.k_proj.weight[rows] = 0
        attention.q_proj.weight[rows, 0] = torch.cat([fast * angles.cos(), -fast * angles.sin()])
        attention.k_proj.weight[rows, 0] = torch.cat([fast, torch.zeros(half)])


def save_weights(model: Any, folder: Path) -> None:
    """The weights in bf16, with their shape, where `from_pretrained` finds them; the model itself stays as it is."""
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    half = _CWM(model.config).to(torch.bfloat16)
    half.load_state_dict(model.state_dict())
    half.save_pretrained(folder)
