import json
from pathlib import Path

import pytest

pytest.importorskip("torch")

import torch

from analyze.tokenizer import Tokenizer
from runner.pocket.batches import Position, grouped, stack, stream
from runner.pocket.data import Document
from runner.pocket.optimizer import WARM_UP, learning_rate
from runner.pocket.run import Progress, Run, Settings
from runner.pocket.train import main

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
    whole = stream(3, pocket_tokenizer, 1024, Position())
    steps = [next(whole) for _ in range(16)]
    assert {position.pool for _, position in steps} >= {0, 1}
    _, position = steps[9]
    again, _ = next(stream(3, pocket_tokenizer, 1024, position))
    assert torch.equal(again.ids, steps[10][0].ids)


def test_the_learning_rate_rises_stays_and_falls_to_zero() -> None:
    assert learning_rate(0, 0, 1000, 0.4) == 1 / WARM_UP
    assert learning_rate(WARM_UP, 600, 1000, 0.4) == 1
    assert learning_rate(WARM_UP, 800, 1000, 0.4) == 0.5
    assert learning_rate(WARM_UP, 1000, 1000, 0.4) == 0


def test_two_steps_on_a_handful_of_programs_lower_the_loss(pocket_tokenizer: Tokenizer) -> None:
    run = Run(TINY, pocket_tokenizer, CPU)
    run.progress = Progress(step=WARM_UP)
    batches = [batch for batch, _ in (next(stream(0, pocket_tokenizer, 1024, Position())) for _ in range(2))]
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
    assert main(["--out", str(tmp_path), "--hidden", "128"]) == 2
    assert capsys.readouterr().err == "train: the checkpoint is of a run with --hidden 64\n"


def test_another_seed_gives_another_run(pocket_tokenizer: Tokenizer) -> None:
    runs = [Run(Settings(**{**vars(TINY), "seed": seed}), pocket_tokenizer, CPU) for seed in (0, 0, 1)]
    assert torch.equal(weights(runs[0]), weights(runs[1]))
    assert not torch.equal(weights(runs[0]), weights(runs[2]))


def test_the_command_leaves_weights_that_load_a_curve_and_a_checkpoint(
    pocket_tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from transformers import CwmForCausalLM

    monkeypatch.setattr("runner.pocket.train.HELD_OUT_DOCUMENTS", 4)
    pocket_tokenizer.reference.save(str(tmp_path / "tokenizer.json"))
    tiny = ["--hidden", "64", "--layers", "2", "--inner", "64", "--micro", "1024", "--every", "2"]
    assert main(["--out", str(tmp_path), *tiny, "--tokens", "3000"]) == 0
    assert main(["--out", str(tmp_path), *tiny, "--tokens", "6000"]) == 0
    curve = [json.loads(line) for line in (tmp_path / "curve.jsonl").read_text().splitlines()]
    assert [line["step"] for line in curve] == sorted({line["step"] for line in curve})
    assert curve[-1]["tokens"] >= 6000
    model = CwmForCausalLM.from_pretrained(tmp_path)
    assert model.dtype == torch.bfloat16
    assert model.config.layer_types[0] == "full_attention"
