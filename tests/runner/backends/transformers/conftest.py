"""A tiny CWM with random weights in float32: full and sliding attention, a window that texts outgrow."""

from typing import Any

import pytest

torch = pytest.importorskip("torch")


@pytest.fixture(scope="session")
def tiny() -> Any:
    import transformers

    classes: Any = transformers  # its own types are too loose

    torch.manual_seed(0)
    config = classes.CwmConfig(
        vocab_size=300,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=4,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=8,
        sliding_window=16,
        max_position_embeddings=512,
        attn_implementation="sdpa",
        bos_token_id=0,
        eos_token_id=1,
        pad_token_id=1,
    )
    model = classes.CwmForCausalLM(config).eval()
    with torch.no_grad():  # random heads are undecided: sharper ones write texts that do not hang on rounding
        for parameter in model.parameters():
            parameter.mul_(3.0) if parameter.ndim > 1 else None
    return model
