"""The shipped weights: what they are, and that they know at least the easiest kind."""

import json

import pytest

pytest.importorskip("torch")

from safetensors.torch import load_file

from runner.backends.transformers.loading import POCKET, load
from runner.backends.transformers.model import TransformersBackend
from runner.pocket.data import document, held_out, unseen
from runner.pocket.scoring import score
from runner.pocket.tokenizer import SPECIAL

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def pocket() -> TransformersBackend:
    return load("pocket", "cpu")


def test_the_model_is_a_small_cwm(pocket: TransformersBackend) -> None:
    assert type(pocket.model).__name__ == "CwmForCausalLM"
    weights = load_file(POCKET / "model.safetensors")
    assert 2e6 <= sum(weight.numel() for weight in weights.values()) <= 6e6
    assert set(pocket.model.config.layer_types) == {"full_attention", "sliding_attention"}


def test_the_weights_are_small_files_in_bf16() -> None:
    assert (POCKET / "model.safetensors").stat().st_size < 15e6
    assert json.loads((POCKET / "config.json").read_text())["dtype"] == "bfloat16"


def test_the_vocabulary_has_the_special_tokens_of_cwm_and_the_model_s_size(pocket: TransformersBackend) -> None:
    assert [pocket.tokenizer.special_id(name) for name in SPECIAL] == list(range(len(SPECIAL)))
    assert pocket.tokenizer.reference.get_vocab_size() == pocket.model.config.vocab_size


def test_most_unseen_boolean_compositions_are_traced_right(pocket: TransformersBackend) -> None:
    asked = [case for case in unseen(500) if case.kind.startswith("boolean")][:8]
    assert all(held_out(case) for case in asked)
    made = [one for case in asked if (one := document(case, pocket.tokenizer))]
    assert len(made) == 8
    assert sum(one.exact for one in score(pocket.model, made)) >= 6


def test_the_card_s_figures_are_those_of_the_run() -> None:
    curve = [json.loads(line) for line in (POCKET / "curve.jsonl").read_text().splitlines()]
    card = (POCKET / "README.md").read_text()
    assert f"{curve[-1]['tokens'] / 1e6:.1f} million in {curve[-1]['step']:,} steps" in card
