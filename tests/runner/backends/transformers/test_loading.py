"""What cannot be asked is told in one line, with what to do, before weights are read or made up."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

import torch
import transformers
from safetensors.torch import load_file, save_file

from corpora.errors import InputError
from runner.backends import load_model
from runner.backends.transformers import loading
from runner.cli import main
from tests.models import SMALL_TRACER


def no_config(place: Path) -> None:
    (place / "config.json").unlink()


def damaged_config(place: Path) -> None:
    (place / "config.json").write_text("{")


def config_of_another(place: Path) -> None:
    changed(place, model_type="gpt2")


def nonsense_in_config(place: Path) -> None:
    changed(place, hidden_size="wide")


def other_shapes(place: Path) -> None:
    changed(place, intermediate_size=128)


def small_vocabulary(place: Path) -> None:
    changed(place, vocab_size=1000)
    weights = load_file(place / "model.safetensors")
    (name,) = (name for name in weights if "embed" in name)
    save_file(weights | {name: weights[name][:1000].clone()}, place / "model.safetensors", metadata={"format": "pt"})


def cut_weights(place: Path) -> None:
    content = (place / "model.safetensors").read_bytes()
    (place / "model.safetensors").write_bytes(content[: len(content) // 2])


def half_the_weights(place: Path) -> None:
    weights = load_file(place / "model.safetensors")
    for name in [name for name in weights if "layers.0.mlp" in name]:
        del weights[name]
    save_file(weights, place / "model.safetensors", metadata={"format": "pt"})


def no_vocabulary(place: Path) -> None:
    (place / "tokenizer.json").unlink()


def changed(place: Path, **fields: object) -> None:
    config = json.loads((place / "config.json").read_text())
    (place / "config.json").write_text(json.dumps(config | fields))


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (no_config, "no CWM weights in this folder"),
        (damaged_config, "no CWM weights in this folder .* is not a valid JSON file"),
        (config_of_another, "is a gpt2 model; only weights of CWM are loaded .* openai:NAME@URL"),
        (nonsense_in_config, "no CWM weights in this folder"),
        (other_shapes, "no CWM weights in this folder"),
        (small_vocabulary, "its vocabulary has the token 1023, but its weights have 1000 tokens: use the tokenizer"),
        (cut_weights, "no CWM weights in this folder"),
        (half_the_weights, r"its weights lack model\.layers\.0\.mlp\.down_proj\.weight and 2 more: download or save"),
        (no_vocabulary, "no tokenizer found"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_damaged_folder_is_named_in_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], damage: Callable[[Path], None], said: str
) -> None:
    place = shutil.copytree(SMALL_TRACER, tmp_path / "model")
    damage(place)
    with pytest.raises(InputError, match=said) as found:
        load_model(str(place), device="cpu")
    assert "\n" not in str(found.value) and str(place) in str(found.value)
    assert "MISSING" not in capfd.readouterr().err, "what transformers says of it is said once, by us"


@pytest.mark.medium
def test_the_32b_model_without_a_gpu_says_what_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder of the whole architecture, of which no weights are there: it is refused before they are looked for."""
    classes: Any = transformers
    classes.CwmConfig().save_pretrained(tmp_path)
    shards = {"lm_head.weight": "model-00001-of-00014.safetensors"}
    index = {"metadata": {"total_size": 65_162_194_944}, "weight_map": shards}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index))
    shutil.copy(SMALL_TRACER / "tokenizer.json", tmp_path)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(loading, "_memory", lambda target: 16_000_000_000)
    words = ["run", "permutations", "--length", "1", "--model", str(tmp_path), "--output", str(tmp_path / "run")]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert "its 32.6 billion parameters need 65 GB of GPU memory in bf16, and there is no GPU (130 GB without" in said
    assert said.count("\n") == 1 and not (tmp_path / "run").exists()
    monkeypatch.setattr(loading, "_memory", lambda target: 24_000_000_000)
    with pytest.raises(InputError, match=r"need 65 GB .* this GPU has 24 GB: use a larger GPU"):
        load_model(str(tmp_path), device="cuda")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            OSError("You are trying to access a gated repo.\nMake sure"),
            "is gated: accept its licence on the page of a/b",
        ),
        (
            OSError("a/b is not a valid model identifier"),
            "cannot be loaded; is there a network, and does the id exist?",
        ),
        (torch.OutOfMemoryError("CUDA out of memory."), "exceeds the device's memory"),
        (RuntimeError(""), "RuntimeError"),
    ],
)
def test_what_the_hub_or_the_device_refuses_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error

    classes: Any = transformers
    monkeypatch.setattr(classes.PretrainedConfig, "get_config_dict", refuse)
    with pytest.raises(InputError) as found:
        load_model("a/b", device="cpu")
    assert said in str(found.value) and "\n" not in str(found.value)
