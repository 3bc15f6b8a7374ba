"""The real loading and decoding code, on a tiny CWM with random weights saved to a folder."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from analyze.tokens.tokenizer import Tokenizer, default_tokenizer
from corpora.errors import InputError
from runner.asking.generation import END_OF_ANSWER, Prompt
from runner.backends import load_model
from runner.backends.transformers.attention import FOLDED

pytestmark = pytest.mark.model
torch = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from transformers import CwmConfig, CwmForCausalLM

    torch.manual_seed(0)
    config = CwmConfig(
        vocab_size=128256,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=8,
        sliding_window=16,
    )
    place = tmp_path_factory.mktemp("tiny-cwm")
    CwmForCausalLM(config).save_pretrained(place)  # type: ignore[no-untyped-call]
    default_tokenizer().reference.save(str(place / "tokenizer.json"))
    return place


@pytest.fixture(scope="module")
def backend(folder: Path) -> Any:
    return load_model(str(folder), device="cpu")


def prompt(text: str) -> Prompt:
    return Prompt("a", "original", tuple(default_tokenizer().encode(text)))


@pytest.mark.medium
def test_a_batch_of_different_lengths_answers_as_each_prompt_alone(backend: Any) -> None:
    prompts = [prompt("def f(): pass"), prompt("x"), prompt("a much longer prompt, " * 12)]
    together = backend.generate(prompts, 10, lambda active: None)
    alone = [backend.generate([each], 10, lambda active: None)[0] for each in prompts]
    assert together == alone


@pytest.mark.medium
def test_decoding_ends_at_the_limit_and_says_so(backend: Any) -> None:
    (generation,) = backend.generate([prompt("x")], 5, lambda active: None)
    assert generation.stopped == "limit" and len(generation.ids) == 5


class _Scripted:
    """Stands for nothing: makes the real model's head say a text, so that stopping can be seen."""

    def __init__(self, ids: list[int]) -> None:
        self.ids, self.start = ids, 0

    def __call__(self, module: object, inputs: object, logits: object) -> object:
        forced = torch.full_like(logits, -1.0)
        forced[:, -1, self.ids[min(self.start, len(self.ids) - 1)]] = 1.0
        self.start += 1
        return forced


@pytest.mark.parametrize(
    ("text", "stop", "expected"),
    [
        (f"so\n{END_OF_ANSWER} and more and more", None, "answer"),
        ("so and more", "<|end_of_text|>", "end"),
        ("so and more", "<|eot_id|>", "end"),
    ],
)
def test_decoding_stops_after_the_answer_or_at_a_stop_token(
    backend: Any, text: str, stop: str | None, expected: str
) -> None:
    tokenizer: Tokenizer = backend.tokenizer
    ids = tokenizer.encode(text) + ([tokenizer.special_id(stop)] if stop else []) + tokenizer.encode(" tail")
    with backend.model.lm_head.register_forward_hook(_Scripted(ids)):
        (generation,) = backend.generate([prompt("x")], 60, lambda active: None)
    assert generation.stopped == expected
    assert "tail" not in generation.text and len(generation.ids) < len(ids)


@pytest.mark.medium
def test_a_folder_cannot_choose_the_code_that_runs_it(folder: Path, tmp_path: Path) -> None:
    place = shutil.copytree(folder, tmp_path / "model")
    config = json.loads((place / "config.json").read_text())
    asked = {
        **dict.fromkeys(("attn_implementation", "_attn_implementation"), "kernels-community/flash-attn"),
        "auto_map": {"AutoModelForCausalLM": "modeling.Model", "AutoConfig": "modeling.Config"},
    }
    (place / "config.json").write_text(json.dumps(config | asked))
    (place / "modeling.py").write_text("raise SystemExit('code of the folder was run')")
    backend: Any = load_model(str(place), device="cpu")
    assert backend.model.config._attn_implementation == FOLDED
    assert backend.generate([prompt("x = 1")], 3, lambda active: None)


def test_weights_that_would_be_unpickled_are_refused(folder: Path, tmp_path: Path) -> None:
    place = shutil.copytree(folder, tmp_path / "model")
    (place / "model.safetensors").unlink()
    torch.save({}, place / "pytorch_model.bin")
    with pytest.raises(InputError, match="no CWM weights in this folder"):
        load_model(str(place), device="cpu")
