import pytest

pytest.importorskip("torch")

import torch

from analyze.tokens.tokenizer import Tokenizer
from runner.pocket.data import cases, document
from runner.pocket.model import new_model, pocket_config
from runner.pocket.scoring import Score, exact_by_family, score

pytestmark = pytest.mark.model


def test_a_score_counts_the_positions_at_which_the_true_token_is_the_most_likely(pocket_tokenizer: Tokenizer) -> None:
    model = new_model(pocket_config(pocket_tokenizer, hidden=64, layers=1, inner=64), seed=0).eval()
    made = document(next(cases("score")), pocket_tokenizer)
    assert made is not None
    [one] = score(model, [made])
    with torch.inference_mode():
        best = model(input_ids=torch.tensor([made.ids])).logits[0].argmax(-1).tolist()
    right = [best[place - 1] == made.ids[place] for place in range(made.prompt, len(made.ids))]
    assert (one.right, one.tokens) == (sum(right), len(made.ids) - made.prompt)


def test_exact_traces_are_counted_by_family(pocket_tokenizer: Tokenizer) -> None:
    made = document(next(cases("score")), pocket_tokenizer)
    assert made is not None
    scores = [Score(made, right, 5) for right in (5, 4, 5, 0)]
    assert exact_by_family(scores) == {"all": 0.5, made.kind.partition(",")[0]: 0.5}
