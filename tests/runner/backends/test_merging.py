from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is missing (extra model)")
pytest.importorskip("accelerate", reason="accelerate is missing (extra model)")

import torch
import transformers
from safetensors.torch import save_file

from corpora.errors import InputError
from corpora.program import Case
from runner.asking.generation import Prompt
from runner.asking.prompts import prompt_ids
from runner.backends import load_model
from runner.backends.transformers.base_model import load_base, special_ids, tracer_vocabulary, weights_digest
from runner.backends.transformers.merging import BASE, BASE_DIGEST, TOKEN_ROWS, merge, merged_folder, read_adapter
from runner.runs.question import PosedQuestion, SkippedQuestion, pose_question
from tests.tiny_base import write_base

pytestmark = pytest.mark.model


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def write_adapter(folder: Path, base: Path, *, metadata: dict[str, str] | None = None) -> Path:
    """A random adapter of rank 2 on one layer."""
    torch.manual_seed(1)
    model = load_base(str(base))
    tensors = {
        "layers.1.mlp.up_proj.lora_A": torch.randn(2, 64),
        "layers.1.mlp.up_proj.lora_B": torch.randn(96, 2),
        TOKEN_ROWS: torch.randn(10, 64),
    }
    found = {BASE: str(base), BASE_DIGEST: weights_digest(model)} if metadata is None else metadata
    folder.mkdir(exist_ok=True)
    save_file(tensors, folder / "adapter.safetensors", metadata=found)
    return folder / "adapter.safetensors"


def test_weights_and_token_rows_are_those_of_base_and_adapter(tmp_path: Path) -> None:
    base = write_base(tmp_path / "base")
    model, special = load_base(str(base)), special_ids(tracer_vocabulary(str(base)))
    tensors = {
        "layers.1.mlp.up_proj.lora_A": torch.randn(2, 64),
        "layers.1.mlp.up_proj.lora_B": torch.randn(96, 2),
        TOKEN_ROWS: torch.randn(10, 64),
    }
    merged, before = merge(model, tensors, special), model.state_dict()
    up = "model.layers.1.mlp.up_proj.weight"
    change = tensors["layers.1.mlp.up_proj.lora_B"] @ tensors["layers.1.mlp.up_proj.lora_A"]
    assert torch.equal(merged[up], (before[up].float() + change).bfloat16())
    table = merged["model.embed_tokens.weight"]
    assert torch.equal(table[special], tensors[TOKEN_ROWS].bfloat16())
    others = [token for token in range(len(table)) if token not in special]
    assert torch.equal(table[others], before["model.embed_tokens.weight"][others])
    same = [name for name in merged if name not in (up, "model.embed_tokens.weight")]
    assert all(torch.equal(merged[name], before[name]) for name in same)


@pytest.mark.medium
def test_the_merged_model_answers_and_is_made_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = write_base(tmp_path / "base")
    adapter = write_adapter(tmp_path / "adapter", base)
    backend = load_model(f"pretrained:{adapter}")
    assert "preparing the model, once" in capsys.readouterr().err
    shutil.rmtree(base)  # it is not read again
    again = load_model(f"pretrained:{adapter.parent}")
    assert "preparing" not in capsys.readouterr().err
    assert backend.prompt_formats == again.prompt_formats == ("bare",)
    case = Case("a", "def f(x):\n    return x", "f(1)")
    prompt = Prompt(case.id, "original", tuple(prompt_ids(case, "bare", backend.tokenizer)))
    one, other = (model.generate([prompt], 8, lambda active: None)[0] for model in (backend, again))
    assert one.ids == other.ids


@pytest.mark.parametrize("missing", ["model.safetensors", "tokenizer.json"])
def test_a_damaged_copy_is_made_again(missing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    adapter = read_adapter(str(write_adapter(tmp_path / "adapter", write_base(tmp_path / "base"))))
    whole = (merged_folder(adapter) / missing).read_bytes()
    capsys.readouterr()
    (merged_folder(adapter) / missing).write_bytes(whole[: len(whole) // 2])
    assert (merged_folder(adapter) / missing).read_bytes() == whole
    assert f"{merged_folder(adapter)} is damaged\n" in capsys.readouterr().err


def test_a_merged_model_computes_what_the_base_computes_with_an_adapter_of_zeros(tmp_path: Path) -> None:
    base = write_base(tmp_path / "base")
    model, special = load_base(str(base)), special_ids(tracer_vocabulary(str(base)))
    zeros = {
        TOKEN_ROWS: model.get_input_embeddings().weight[special].detach().float().contiguous(),
        "layers.0.self_attn.q_proj.lora_A": torch.zeros(2, 64),
        "layers.0.self_attn.q_proj.lora_B": torch.zeros(64, 2),
    }
    path = tmp_path / "zeros.safetensors"
    save_file(zeros, path, metadata={BASE: str(base), BASE_DIGEST: weights_digest(model)})
    merged = transformers.CwmForCausalLM.from_pretrained(merged_folder(read_adapter(str(path))), dtype=torch.float32)
    ids = torch.arange(200)[None]
    with torch.no_grad():
        expected, found = model.float()(ids).logits, merged(ids).logits
    assert torch.allclose(expected, found, atol=1e-4)


def test_another_base_than_that_of_training_is_refused(tmp_path: Path) -> None:
    adapter = write_adapter(tmp_path / "adapter", write_base(tmp_path / "base"))
    other = write_base(tmp_path / "other", initializer_range=0.3)
    with pytest.raises(InputError, match="is not the base that the adapter was trained on"):
        load_model(f"pretrained:{adapter}@{other}")
    assert list((tmp_path / "cache" / "spellout").glob("tracer-*")) == []


def test_the_base_may_have_moved(tmp_path: Path) -> None:
    base = write_base(tmp_path / "base")
    adapter = write_adapter(tmp_path / "adapter", base)
    moved = base.rename(tmp_path / "moved")
    assert load_model(f"pretrained:{adapter}@{moved}").tokenizer.is_byte_level


def test_a_file_without_a_base_and_a_missing_file_are_no_adapters(tmp_path: Path) -> None:
    adapter = write_adapter(tmp_path / "adapter", write_base(tmp_path / "base"), metadata={"rank": "2"})
    with pytest.raises(InputError, match="its metadata does not name a base"):
        load_model(f"pretrained:{adapter}")
    with pytest.raises(InputError, match="no adapter"):
        load_model(f"pretrained:{tmp_path / 'none'}")


@pytest.mark.medium
def test_a_program_with_a_character_that_the_vocabulary_loses_is_not_asked(tmp_path: Path) -> None:
    backend = load_model(
        f"pretrained:{write_adapter(tmp_path / 'adapter', write_base(tmp_path / 'base', missing=b'~'))}"
    )
    asked = pose_question(Case("a", "def f(x):\n    return x + '-'", "f('a')"), "original", backend)
    assert isinstance(asked, PosedQuestion)
    skipped = pose_question(Case("a", "def f(x):\n    return x + '~'", "f('a')"), "original", backend)
    assert isinstance(skipped, SkippedQuestion)
    assert skipped.reason.endswith("would read another one: '~' (U+007E) is dropped")


def test_an_adapter_of_another_shape_is_refused(tmp_path: Path) -> None:
    base = write_base(tmp_path / "base")
    with pytest.raises(InputError, match="has other layers than the base"):
        merge(load_base(str(base)), {"layers.7.mlp.up_proj.lora_A": torch.zeros(2, 64)}, [1])
