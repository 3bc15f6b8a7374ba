import pytest

pytest.importorskip("torch")

import torch

from analyze.tokens.tokenizer import Tokenizer
from runner.pocket.attention import BLOCK, NAME
from runner.pocket.model import new_model, pocket_config

pytestmark = pytest.mark.model


@pytest.mark.parametrize("tokens", [1, BLOCK, BLOCK + 1, 2 * BLOCK + 40])
def test_blocks_see_what_eager_attention_sees(pocket_tokenizer: Tokenizer, tokens: int) -> None:
    # Eager attention takes its softmax in float32 whatever the model's type, so differences are held against the norm.
    model = new_model(pocket_config(pocket_tokenizer, hidden=64, layers=2, inner=64), seed=0).double()
    ids = torch.randint(0, 1024, (2, tokens), generator=torch.Generator().manual_seed(tokens))
    outputs, gradients = [], []
    for name in ("eager", NAME):
        model.set_attn_implementation(name)
        logits = model(input_ids=ids, use_cache=False).logits
        outputs.append(logits.detach())
        gradients.append(torch.autograd.grad(logits.square().sum(), model.model.layers[0].self_attn.q_proj.weight)[0])
    for eager, blocks in (outputs, gradients):
        assert (eager - blocks).norm() < 1e-9 + 1e-5 * eager.norm()  # of one token, the gradient is zero
