"""Random weights of any size: sizes that are none are refused, the largest is CWM's own shape, and runs go through."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

import transformers

from corpora.errors import InputError
from runner.backends import load_model
from runner.backends.random_cwm import shape
from runner.cli import main
from runner.records.samples import read_samples


@pytest.mark.parametrize("spec", ["random:", "random:4", "random:4x", "random:0x64", "random:4x100", "random:-1x64"])
def test_a_size_that_is_none_is_refused_in_one_line(spec: str) -> None:
    with pytest.raises(InputError, match=f"^--model {spec}: must be random:LAYERSxWIDTH, as random:4x256"):
        load_model(spec)


@pytest.mark.medium
def test_what_no_memory_holds_is_refused_before_it_is_made() -> None:
    with pytest.raises(InputError, match=r"parameters need [\d,]+ GB of GPU memory in bf16"):
        load_model("random:64x65536")


def test_64_layers_of_6144_are_the_architecture_of_cwm() -> None:
    classes: Any = transformers
    known = classes.CwmConfig().to_dict()
    assert shape(64, 6144).items() <= known.items()


@pytest.mark.parametrize("width", range(64, 2048, 64))
def test_heads_are_whole(width: int) -> None:
    found = shape(1, width)
    assert found["num_attention_heads"] % found["num_key_value_heads"] == 0
    assert 0 < found["num_attention_heads"] * found["head_dim"] <= width


@pytest.mark.medium
def test_the_same_weights_each_time() -> None:
    first, second = (dict(load_model("random:1x64", device="cpu").model.named_parameters()) for _ in range(2))  # type: ignore[attr-defined]
    assert first and all(bool((first[name] == second[name]).all()) for name in first)


@pytest.mark.medium
def test_an_experiment_goes_through_with_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "experiment",
        "forcing",
        "--model",
        "random:1x64",
        "--length",
        "1",
        "--num-programs",
        "1",
        "--max-tokens",
        "60",
    ]
    assert main([*words, "--output", str(tmp_path)]) == 0
    assert "forced actions" in capsys.readouterr().out
    for mode in ("free", "forced-actions", "forced"):
        (sample,) = read_samples(tmp_path / mode / "samples.jsonl")
        assert sample.asked and sample.output_tokens and sample.verdict != "correct"
