import dataclasses
import json
import resource
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

import torch

from analyze.tokens.tokenizer import Tokenizer
from runner.backends.transformers.loading import load
from runner.pocket.batches import PocketSource, Position, grouped, stack
from runner.pocket.data import Document
from runner.pocket.model import save_weights
from runner.pocket.optimizer import WARM_UP, learning_rate
from runner.pocket.run import Progress, Run, Settings
from runner.pocket.tokenizer import train_tokenizer
from runner.pocket.train import _open, _parser, main

pytestmark = pytest.mark.model

TINY = Settings(tokens=20_000, hidden=64, layers=2, inner=64, micro=1024, muon=0.05, adam=0.01)
CPU = torch.device("cpu")


@pytest.fixture(autouse=True, scope="module")
def small_pools() -> object:
    """A pool is made whole before its first batch; these tests need a few documents only."""
    patch = pytest.MonkeyPatch()
    patch.setattr("runner.pocket.batches.POOL", 24)
    yield
    patch.undo()


def weights(run: Run) -> torch.Tensor:
    return torch.cat([weight.detach().flatten() for weight in run.weights])


def test_prompt_and_padding_are_not_learnt() -> None:
    batch = stack([Document((5, 6, 7, 8), 2, "a"), Document((5, 6, 7), 1, "b")], pad=0)
    assert batch.ids.shape == (2, 16)
    assert batch.learnt.int().tolist() == [[0, 0, 1, 1] + [0] * 12, [0, 1, 1] + [0] * 13]
    assert batch.ids[1].tolist() == [5, 6, 7] + [0] * 13


def test_groups_hold_all_documents_and_no_more_than_the_tokens_asked_for() -> None:
    pool = [Document(tuple(range(length)), 1, "") for length in (9, 3, 700, 8, 8, 5)]
    groups = grouped(pool, 18)
    assert sorted(len(document.ids) for group in groups for document in group) == [3, 5, 8, 8, 9, 700]
    assert all(len(group) == 1 or len(group) * max(len(one.ids) for one in group) <= 18 for group in groups)


def test_a_stream_goes_on_from_any_position(pocket_tokenizer: Tokenizer) -> None:
    source = PocketSource(3, pocket_tokenizer, 1024)
    whole = source.batches(Position())
    steps = [next(whole) for _ in range(16)]
    assert {position.pool for _, position in steps} >= {0, 1}
    _, position = steps[9]
    again, _ = next(source.batches(position))
    assert torch.equal(again.ids, steps[10][0].ids)


def test_the_learning_rate_rises_stays_and_falls_to_zero() -> None:
    assert learning_rate(0, 1.0, 0.4) == 1 / WARM_UP
    assert learning_rate(WARM_UP, 0.4, 0.4) == 1
    assert learning_rate(WARM_UP, 0.2, 0.4) == 0.5
    assert learning_rate(WARM_UP, 0.0, 0.4) == 0


def test_two_steps_on_a_handful_of_programs_lower_the_loss(pocket_tokenizer: Tokenizer) -> None:
    run = Run(TINY, pocket_tokenizer, CPU)
    run.progress = Progress(step=WARM_UP)
    batches = [
        batch for batch, _ in (next(PocketSource(0, pocket_tokenizer, 1024).batches(Position())) for _ in range(2))
    ]
    losses = [run._step(batches) for _ in range(3)]
    assert losses[0] - 0.1 > losses[1] > losses[2] + 0.1


def test_an_interrupted_run_ends_where_an_uninterrupted_one_does(pocket_tokenizer: Tokenizer) -> None:
    whole = Run(TINY, pocket_tokenizer, CPU)
    whole.steps(4)
    first = Run(TINY, pocket_tokenizer, CPU)
    first.steps(2)
    second = Run(TINY, pocket_tokenizer, CPU)
    second.restore(first.state())
    second.steps(2)
    assert torch.equal(weights(second), weights(whole))
    assert all(torch.equal(a, b) for a, b in zip(second.average.weights, whole.average.weights, strict=True))
    assert (second.progress.step, second.progress.position) == (whole.progress.step, whole.progress.position)


def test_a_checkpoint_of_another_shape_is_refused_in_one_line(
    pocket_tokenizer: Tokenizer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pocket_tokenizer.reference.save(str(tmp_path / "tokenizer.json"))
    torch.save(Run(TINY, pocket_tokenizer, CPU).state(), tmp_path / "checkpoint.pt")
    assert main(["--output", str(tmp_path), "--hidden", "128"]) == 2
    assert capsys.readouterr().err == "train: the checkpoint is of a run with --hidden 64\n"


def test_weights_are_asked_in_the_form_that_they_were_taught(pocket_tokenizer: Tokenizer, tmp_path: Path) -> None:
    pocket_tokenizer.reference.save(str(tmp_path / "tokenizer.json"))
    save_weights(Run(TINY, pocket_tokenizer, CPU).model, tmp_path)
    assert load(str(tmp_path), "cpu").prompt_formats == ("bare",)


def test_another_seed_gives_another_run(pocket_tokenizer: Tokenizer) -> None:
    runs = [Run(Settings(**{**vars(TINY), "seed": seed}), pocket_tokenizer, CPU) for seed in (0, 0, 1)]
    assert torch.equal(weights(runs[0]), weights(runs[1]))
    assert not torch.equal(weights(runs[0]), weights(runs[2]))


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # torch's own code is deprecated
@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no C++ compiler")
def test_compiled_layers_learn_the_same(pocket_tokenizer: Tokenizer) -> None:
    losses = [Run(dataclasses.replace(TINY, compiled=flag), pocket_tokenizer, CPU).steps(3) for flag in (0, 1)]
    assert losses[0] == pytest.approx(losses[1], rel=1e-2)


def test_compiling_without_a_compiler_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert main(["--output", str(tmp_path), "--compiled", "1"]) == 2
    assert capsys.readouterr().err.startswith("train: --compiled 1 needs a C++ compiler")


def test_the_command_leaves_weights_that_load_a_curve_and_a_checkpoint(
    pocket_tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from transformers import CwmForCausalLM

    monkeypatch.setattr("runner.pocket.train.HELD_OUT_DOCUMENTS", 4)
    pocket_tokenizer.reference.save(str(tmp_path / "tokenizer.json"))
    tiny = ["--hidden", "64", "--layers", "2", "--inner", "64", "--micro", "1024", "--every", "2"]
    assert main(["--output", str(tmp_path), *tiny, "--tokens", "3000"]) == 0
    assert main(["--output", str(tmp_path), *tiny, "--tokens", "6000"]) == 0
    curve = [json.loads(line) for line in (tmp_path / "curve.jsonl").read_text().splitlines()]
    assert [line["step"] for line in curve] == sorted({line["step"] for line in curve})
    assert curve[-1]["tokens"] >= 6000
    model = CwmForCausalLM.from_pretrained(tmp_path)
    assert model.dtype == torch.bfloat16
    assert model.config.layer_types
    assert model.config.layer_types[0] == "full_attention"


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Arguments for a tiny run, measured on few programs."""
    monkeypatch.setattr("runner.pocket.train.HELD_OUT_DOCUMENTS", 4)
    return ["--hidden", "64", "--layers", "2", "--inner", "64", "--micro", "1024", "--every", "2"]


@pytest.fixture(scope="module")
def released(pocket_tokenizer: Tokenizer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of weights without a checkpoint, as they are released."""
    folder = tmp_path_factory.mktemp("released")
    pocket_tokenizer.reference.save(str(folder / "tokenizer.json"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("runner.pocket.train.HELD_OUT_DOCUMENTS", 4)
        tiny = ["--hidden", "64", "--layers", "2", "--inner", "64", "--micro", "1024", "--every", "2"]
        assert main(["--output", str(folder), *tiny, "--tokens", "3000"]) == 0
    (folder / "checkpoint.pt").unlink()
    return folder


def curve(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "curve.jsonl").read_text().splitlines()]


def test_training_goes_on_from_weights_alone(released: Path, tmp_path: Path, few: list[str]) -> None:
    before = curve(released)
    command = [
        "--from",
        str(released),
        "--output",
        str(tmp_path),
        "--minutes",
        "0.02",
        "--micro",
        "1024",
        "--every",
        "2",
    ]
    assert main(command) == 0
    after = curve(tmp_path)
    assert after[: len(before)] == before
    assert after[-1]["step"] > before[-1]["step"]
    assert after[-1]["tokens"] > before[-1]["tokens"]
    assert after[-1]["position"]["pool"] > before[-1]["position"]["pool"]
    assert after[-1]["speed"] > 0
    assert "CPU thread" in after[-1]["on"]
    stages = json.loads((tmp_path / "stages.json").read_text())
    assert [stage["minutes"] for stage in stages] == [0.0, 0.02]
    assert curve(released) == before
    # The time is over; the same command begins another stretch, from the checkpoint.
    assert main(command) == 0
    assert curve(tmp_path)[: len(after)] == after
    assert curve(tmp_path)[-1]["step"] > after[-1]["step"]


def test_weights_that_are_taken_up_are_those_that_were_released(
    released: Path, tmp_path: Path, few: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.pocket.run.Run.left", lambda self: 0.0)
    arguments = ["--from", str(released), "--output", str(tmp_path)]
    run, _ = open_run(arguments)
    from transformers import CwmForCausalLM

    loaded = CwmForCausalLM.from_pretrained(released, dtype=torch.float32)
    assert all(torch.equal(a, b) for a, b in zip(run.weights, loaded.parameters(), strict=True))
    assert all(torch.equal(a, b) for a, b in zip(run.average.weights, loaded.parameters(), strict=True))


def test_the_rates_rise_anew_where_the_optimizers_begin_anew(released: Path, tmp_path: Path, few: list[str]) -> None:
    run, _ = open_run(["--from", str(released), "--output", str(tmp_path), "--minutes", "5", "--micro", "1024"])
    assert run.warmed == run.progress.step > 0
    run.steps(1)
    peak = run.optimizers[0].defaults["lr"]
    assert run.optimizers[0].param_groups[0]["lr"] == pytest.approx(peak / WARM_UP)


def test_a_stretch_that_was_interrupted_ends_at_its_time(released: Path, tmp_path: Path, few: list[str]) -> None:
    command = [
        "--from",
        str(released),
        "--output",
        str(tmp_path),
        "--minutes",
        "500",
        "--micro",
        "1024",
        "--every",
        "1",
    ]
    assert main([*command, "--stop", str(curve(released)[-1]["step"] + 1)]) == 0
    run, _ = open_run(command)
    assert len(run.stages) == 2
    assert 0.99 < run.left() < 1


def open_run(arguments: list[str]) -> tuple[Run, list[dict[str, Any]]]:
    return _open(_parser().parse_args(arguments))


BAD: dict[str, tuple[Callable[[Path], object], list[str], str]] = {
    "no such folder": (lambda folder: None, ["--from", "nowhere"], "nowhere has no config.json"),
    "no weights": (lambda folder: (folder / "model.safetensors").unlink(), [], "has no model.safetensors"),
    "cut weights": (lambda folder: cut(folder / "model.safetensors"), [], "model.safetensors cannot be read"),
    "empty weights": (lambda folder: (folder / "model.safetensors").write_bytes(b""), [], "cannot be read"),
    "another shape asked for": (lambda folder: None, ["--hidden", "128"], "made with --hidden 64, not 128"),
    "a config that is no JSON": (lambda folder: (folder / "config.json").write_text("{"), [], "cannot be read"),
    "a config without a shape": (lambda folder: (folder / "config.json").write_text("{}"), [], "cannot be read"),
    "a config of another model": (
        lambda folder: replace_in(folder / "config.json", '"cwm"', '"llama"'),
        [],
        "another model than pocket",
    ),
    "weights of another shape than their config": (
        lambda folder: replace_in(folder / "config.json", '"intermediate_size": 64', '"intermediate_size": 128'),
        [],
        "the weights have another shape than their config.json",
    ),
    "another vocabulary": (
        lambda folder: train_tokenizer(["total"] * 9, 270).save(str(folder / "tokenizer.json")),
        [],
        "another shape",
    ),
    "a curve that is cut": (lambda folder: cut(folder / "curve.jsonl"), [], "curve.jsonl cannot be read"),
    "a curve of something else": (lambda folder: (folder / "curve.jsonl").write_text("{}\n"), [], "curve.jsonl cannot"),
    "stages of something else": (lambda folder: (folder / "stages.json").write_text("[1]"), [], "stages.json cannot"),
    "no time": (lambda folder: None, ["--minutes", "-1"], "must be above zero"),
    "no thread": (lambda folder: None, ["--streams", "0"], "must be above zero"),
}


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def replace_in(path: Path, old: str, new: str) -> None:
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line(
    case: str, released: Path, tmp_path: Path, few: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    spoil, arguments, message = BAD[case]
    source = tmp_path / "source"
    shutil.copytree(released, source)
    spoil(source)
    assert main(["--from", str(source), "--output", str(tmp_path / "out"), "--minutes", "0.01", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith("train: ")
    assert message in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out" / "model.safetensors").exists()


@pytest.mark.parametrize("spoil", [cut, lambda path: path.write_bytes(b""), lambda path: torch.save({"a": 1}, path)])
def test_a_damaged_checkpoint_is_one_line_and_nothing_is_lost(
    spoil: Callable[[Path], object], released: Path, tmp_path: Path, few: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    command = [
        "--from",
        str(released),
        "--output",
        str(tmp_path),
        "--minutes",
        "0.01",
        "--micro",
        "1024",
        "--every",
        "1",
    ]
    assert main(command) == 0
    spoil(tmp_path / "checkpoint.pt")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    capsys.readouterr()
    assert main(command) == 2
    error = capsys.readouterr().err
    assert error.startswith("train: ")
    assert error.count("\n") == 1
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    # As the message says: without it, training goes on from the weights beside it.
    (tmp_path / "checkpoint.pt").unlink()
    assert main(["--from", str(tmp_path), "--output", str(tmp_path), *command[4:]]) == 0


def test_a_full_disk_is_one_line_and_the_last_state_stays(
    released: Path, tmp_path: Path, few: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    command = [
        "--from",
        str(released),
        "--output",
        str(tmp_path),
        "--minutes",
        "0.01",
        "--micro",
        "1024",
        "--every",
        "1",
    ]
    assert main(command) == 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    capsys.readouterr()
    # No file of this process may grow beyond the weights' size: the checkpoint is larger.
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, ((tmp_path / "model.safetensors").stat().st_size + 4096, limits[1]))
    try:
        assert main(command) == 2
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    error = capsys.readouterr().err
    assert error.startswith(f"train: cannot write to {tmp_path} (")
    assert error.count("\n") == 1
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_an_output_that_is_a_file_is_one_line(
    released: Path, tmp_path: Path, few: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main(["--from", str(released), "--output", str(tmp_path / "file"), "--minutes", "0.01"]) == 2
    assert capsys.readouterr().err == f"train: cannot write to {tmp_path / 'file'}: File exists\n"
