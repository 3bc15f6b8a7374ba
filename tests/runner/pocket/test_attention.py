import pytest

pytest.importorskip("torch")

import torch

from analyze.tokens.tokenizer import Tokenizer
from runner.pocket.attention import BLOCK, NAME
from runner.pocket.model import new_model, pocket_config

pytestmark = pytest.mark.model


@pytest.mark.parametrize("tokens", [1, BLOCK, BLOCK + 1, 2 * BLOCK + 40])
def test_blocks_see_what_eager_attention_sees(pocket_tokenizer: Tokenizer, tokens: int) -> None:
    model = new_model(pocket_config(pocket_tokenizer, hidden=64, layers=2, inner=64), seed=0)
    ids = torch.randint(0, 1024, (2, tokens), generator=torch.Generator().manual_seed(tokens))
    outputs, gradients = [], []
    for name in ("eager", NAME):
        model.set_attn_implementation(name)
        logits = model(input_ids=ids, use_cache=False).logits
        outputs.append(logits.detach())
        gradients.append(torch.autograd.grad(logits.square().sum(), model.model.layers[0].self_attn.q_proj.weight)[0])
    torch.testing.assert_close(outputs[0], outputs[1], rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(gradients[0], gradients[1], rtol=1e-3, atol=1e-4)
