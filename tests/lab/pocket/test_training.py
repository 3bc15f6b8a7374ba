"""Packing, adapter, evaluation and training run, with a small random base."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is missing (extra model)")
pytest.importorskip("peft", reason="peft is missing (extra train)")

import torch
from safetensors.torch import load_file
from torch.nn import functional

from analyze.tokens.tokenizer import Tokenizer, load_tokenizer
from corpora.errors import InputError
from corpora.program import Case
from lab.pocket import train
from lab.pocket.adapted_model import AdaptedModel, document_attention, document_mask, training_format
from lab.pocket.documents import (
    DrawSettings,
    TraceDocument,
    draw_documents,
    make_document,
    read_documents,
    write_documents,
)
from lab.pocket.documents import main as draw
from lab.pocket.evaluation import evaluate, token_kinds
from lab.pocket.packing import pack, stack
from lab.pocket.run import AdapterRun, DocumentFiles, StepSettings, TrainingSettings, read_checkpoint
from runner.backends import load_model
from runner.backends.transformers.base_model import load_base, special_ids, tracer_vocabulary
from tests.tiny_base import write_base

pytestmark = pytest.mark.model
LENGTH = 512


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_base(tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def tokenizer(base: Path) -> Tokenizer:
    tracer_vocabulary(str(base)).save(str(base / "tracer.json"))
    return load_tokenizer(str(base / "tracer.json"))


@pytest.fixture(scope="module")
def documents(base: Path, tokenizer: Tokenizer) -> list[TraceDocument]:
    shares = {"typed": 0.7, "simple": 0.3}
    return draw_documents(DrawSettings("test", 12_000, LENGTH, str(base / "tracer.json"), None, shares))


def adapted(base: Path) -> AdaptedModel:
    special = special_ids(tracer_vocabulary(str(base)))
    return AdaptedModel(load_base(str(base)), special, rank=4, seed=0, compiled=False)


@pytest.mark.medium
def test_documents_depend_on_the_seed_and_hold_prompt_and_trace(
    base: Path, tokenizer: Tokenizer, documents: list[TraceDocument], tmp_path: Path
) -> None:
    again = draw_documents(
        DrawSettings("test", 2_000, LENGTH, str(base / "tracer.json"), None, {"typed": 0.7, "simple": 0.3})
    )
    assert again == documents[: len(again)]
    for document in documents:
        assert len(document.ids) <= LENGTH
        text = tokenizer.decode(document.ids)
        assert text.startswith("<|begin_of_text|><|trace_context_start|>" + document.source.rstrip("\n"))
        assert text.endswith("<|frame_sep|><|end_of_text|>")
        assert tokenizer.decode(document.ids[document.prompt :]).startswith("<|call_sep|>")
    write_documents(documents, tmp_path / "documents.parquet")
    assert read_documents(tmp_path / "documents.parquet") == documents
    (tmp_path / "other").write_text("x")
    with pytest.raises(InputError, match="not a file of documents"):
        read_documents(tmp_path / "other")


@pytest.mark.medium
def test_documents_without_pyarrow_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match="training documents: needs pyarrow"):
        read_documents(tmp_path / "documents.parquet")
    assert draw(["--output", str(tmp_path / "documents.parquet")]) == 2
    assert capsys.readouterr().err.startswith("documents: training documents: needs pyarrow")


def test_a_program_that_runs_on_after_its_trace_gives_no_document(tokenizer: Tokenizer) -> None:
    tried, at_last = "return [i for i in range(n)]", "[0 for i in range(n) if i < 0]"
    endless = f"def f(n):\n    try:\n        {tried}\n    finally:\n        {at_last}\n"
    assert make_document(Case("", endless, "f(10**12)"), tokenizer, 4 * LENGTH) is None
    assert make_document(Case("", endless, "f(1)"), tokenizer, 4 * LENGTH) is not None


@pytest.mark.medium
def test_rows_hold_every_document_once_and_targets_are_the_traces(documents: list[TraceDocument]) -> None:
    rows = pack(documents, LENGTH, "0")
    assert sorted(document.ids for row in rows for document in row) == sorted(document.ids for document in documents)
    assert all(sum(len(document.ids) for document in row) <= LENGTH for row in rows)
    assert pack(documents, LENGTH, "0") == rows != pack(documents, LENGTH, "1")
    batch = stack(rows[:2], LENGTH)
    learnt = batch.targets[0][batch.targets[0] != -100].tolist()
    assert learnt == [token for document in rows[0] for token in document.ids[document.prompt :]]
    assert int((batch.segments >= 0).sum()) == sum(len(document.ids) for row in rows[:2] for document in row)


def test_attention_is_causal_within_each_document() -> None:
    generator = torch.Generator().manual_seed(0)
    query, key, value = (torch.randn(2, heads, 6, 8, generator=generator) for heads in (4, 2, 2))
    segments = torch.tensor([[0, 0, 1, 1, 1, -1], [0, 1, 1, 1, -1, -1]])
    found, _ = document_attention(None, query, key, value, segments[:, None, None], scaling=0.3)
    mask = document_mask(segments)
    wanted = functional.scaled_dot_product_attention(query, key, value, mask, scale=0.3, enable_gqa=True)
    torch.testing.assert_close(found, wanted.transpose(1, 2))


def test_the_mask_of_documents_is_causal_within_each() -> None:
    found = document_mask(torch.tensor([[0, 1, 1, -1]]))
    assert found[0, 0].int().tolist() == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1]]


@pytest.mark.medium
def test_the_loss_and_its_gradient_are_those_of_the_whole_table(base: Path, documents: list[TraceDocument]) -> None:
    model = adapted(base)
    rows = stack(pack(documents, LENGTH, "0")[:2], LENGTH)
    found = model.loss(rows)
    found.backward()  # type: ignore[no-untyped-call]
    gradients = {name: weight.grad.clone() for name, weight in model.named_parameters() if weight.grad is not None}
    model.zero_grad()
    learnt = rows.targets != -100
    table = model.table.float().index_copy(0, model.special, model.token_rows)
    logits = functional.linear(model.hidden(rows)[learnt].float(), table)
    wanted = functional.cross_entropy(logits, rows.targets[learnt], reduction="sum")
    wanted.backward()  # type: ignore[no-untyped-call]
    assert found.item() == pytest.approx(wanted.item(), rel=2e-2)
    for name, weight in model.named_parameters():
        if weight.grad is not None:
            error = (weight.grad - gradients[name]).norm()
            assert error <= 0.1 * weight.grad.norm(), name


@pytest.mark.medium
def test_a_packed_document_has_the_loss_that_it_has_alone(base: Path, documents: list[TraceDocument]) -> None:
    model = adapted(base)
    row, length = sorted(documents, key=lambda document: len(document.ids))[:3], 1024
    together = model.loss(stack([row], length)).item()
    alone = sum(model.loss(stack([[document]], length)).item() for document in row)
    assert together == pytest.approx(alone, rel=2e-2)
    assert model.predictions(stack([row], length))[:, 1].sum().item() == pytest.approx(together, rel=2e-2)


@pytest.mark.parametrize(("has_bf16", "wanted"), [(True, torch.bfloat16), (False, torch.float32)])
def test_training_is_in_bf16_where_the_processor_has_it(
    monkeypatch: pytest.MonkeyPatch, has_bf16: bool, wanted: torch.dtype
) -> None:
    assert type(torch.cpu._is_avx512_bf16_supported()) is bool
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: has_bf16)
    assert training_format(torch.device("cpu")) == wanted
    assert training_format(torch.device("cuda")) == torch.bfloat16


@pytest.mark.medium
def test_a_float32_base_has_the_loss_of_a_bf16_one(base: Path, documents: list[TraceDocument]) -> None:
    rows = stack(pack(documents, LENGTH, "0")[:1], LENGTH)
    special = special_ids(tracer_vocabulary(str(base)))
    exact = AdaptedModel(load_base(str(base)).float(), special, rank=4, seed=0, compiled=False)
    loss = exact.loss(rows)
    loss.backward()  # type: ignore[no-untyped-call]
    assert loss.item() == pytest.approx(adapted(base).loss(rows).item(), rel=2e-2)
    assert exact.hidden(rows).dtype == torch.float32


@pytest.mark.medium
def test_only_the_adapter_learns(base: Path, documents: list[TraceDocument]) -> None:
    model = adapted(base)
    model.loss(stack(pack(documents, LENGTH, "0")[:1], LENGTH)).backward()  # type: ignore[no-untyped-call]
    named = dict(model.named_parameters())
    assert {name for name, weight in named.items() if weight.grad is not None} == {
        name for name, weight in named.items() if "lora_" in name or name == "token_rows"
    }
    names = set(model.adapter())
    assert "layers.1.mlp.down_proj.lora_B" in names
    assert len(names) == 2 * 7 * 2 + 1


def test_token_kinds_follow_the_separators(tokenizer: Tokenizer, documents: list[TraceDocument]) -> None:
    kinds = token_kinds(documents[0], tokenizer)
    assert len(kinds) == len(documents[0].ids) - documents[0].prompt
    assert kinds[0] == kinds[-1] == "event"
    assert {"state", "action", "return", "event"} == set(kinds)


@pytest.mark.medium
def test_an_evaluation_counts_exact_traces(base: Path, tokenizer: Tokenizer, documents: list[TraceDocument]) -> None:
    found = evaluate(adapted(base), documents[:6], tokenizer, length=LENGTH, rows=2)
    assert sum(total for _, total in found.exact.values()) == 6
    assert sum(right for right, _ in found.exact.values()) == 0
    assert found.loss > 1
    assert set(found.by_token) == {"state", "action", "return", "event"}


def new_run(base: Path, settings: TrainingSettings, state: dict[str, object] | None = None) -> AdapterRun:
    return AdapterRun(adapted(base), settings, StepSettings(rate=1e-3, warmup=2, rows=2, micro=1), "digest", state)


@pytest.mark.medium
def test_a_resumed_run_takes_the_same_steps(base: Path, documents: list[TraceDocument], tmp_path: Path) -> None:
    paths = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    for path, some in zip(paths, (documents[:12], documents[12:20]), strict=True):
        write_documents(some, path)
    settings = TrainingSettings(str(base), 4, LENGTH, 0)
    whole = new_run(base, settings)
    files = DocumentFiles(paths, settings, whole.progress.used)
    losses = [whole.take_step(files) for _ in range(6)]
    first = new_run(base, settings)
    files = DocumentFiles(paths, settings, first.progress.used)
    again = [first.take_step(files) for _ in range(3)]
    first.save(tmp_path)
    second = new_run(base, settings, read_checkpoint(tmp_path))
    files = DocumentFiles(paths, settings, second.progress.used)
    again += [second.take_step(files) for _ in range(3)]
    assert again == losses
    assert losses[-1] < losses[0]
    for name, weight in whole.model.adapter().items():
        assert torch.equal(weight, second.model.adapter()[name])
    with pytest.raises(InputError, match="is of a run with --rank 4"):
        new_run(base, TrainingSettings(str(base), 8, LENGTH, 0), read_checkpoint(tmp_path))


def test_a_new_file_of_documents_is_used_before_a_second_pass(documents: list[TraceDocument], tmp_path: Path) -> None:
    settings = TrainingSettings(length=LENGTH)
    write_documents([document for document in documents[:8] if not document.held], tmp_path / "a.parquet")
    write_documents([document for document in documents[8:16] if not document.held], tmp_path / "b.parquet")
    files = DocumentFiles([tmp_path / "a.parquet"], settings, used={})
    for _ in range(50):
        files.take()
    more = DocumentFiles([tmp_path / "a.parquet", tmp_path / "b.parquet"], settings, used=dict(files.used))
    assert {document.ids for document in more.take()} <= {document.ids for document in documents[8:16]}


def test_a_corrupt_checkpoint_is_named(tmp_path: Path) -> None:
    assert read_checkpoint(tmp_path) is None
    (tmp_path / "checkpoint.pt").write_bytes(b"x")
    with pytest.raises(InputError, match=r"cannot be read .*checkpoint|checkpoint.pt"):
        read_checkpoint(tmp_path)


@pytest.mark.medium
def test_the_command_trains_resumes_decays_and_its_adapter_loads(
    base: Path, documents: list[TraceDocument], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path, out = tmp_path / "d.parquet", tmp_path / "out"
    write_documents(documents, path)
    options = ["--documents", str(path), "--output", str(out), "--base", str(base), "--rank", "4", "--eager"]
    options += ["--length", str(LENGTH)]
    assert train.main([*options, "--steps", "2", "--evaluate-minutes", "0"]) == 0
    assert train.main([*options, "--steps", "3", "--evaluate-minutes", "0"]) == 0
    assert train.main([*options, "--decay-minutes", "0.02"]) == 0
    state = read_checkpoint(out)
    assert state is not None
    assert state["progress"]["steps"] == 3  # the decay leaves it as it is
    curve = [json.loads(line) for line in (out / "curve.jsonl").read_text().splitlines()]
    assert [line["steps"] for line in curve[:3]] == [1, 2, 3]
    assert curve[-1]["adapter"] == "decayed.safetensors"
    assert train.main([*options, "--rank", "8"]) == 2
    backend = load_model(f"pretrained:{out / 'decayed.safetensors'}")
    assert backend.tokenizer.special_id("<|frame_sep|>")


@pytest.mark.medium
def test_a_new_run_goes_on_from_an_adapter_of_its_base_and_rank(
    base: Path, documents: list[TraceDocument], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, first, then = tmp_path / "d.parquet", tmp_path / "first", tmp_path / "then"
    write_documents(documents, path)
    options = ["--documents", str(path), "--base", str(base), "--eager", "--length", str(LENGTH), "--steps", "1"]
    assert train.main([*options, "--rank", "4", "--output", str(first), "--evaluate-minutes", "0"]) == 0
    given = ["--adapter", str(first / "adapter.safetensors"), "--output", str(then)]
    assert train.main([*options, "--rank", "8", *given]) == 2
    assert "has another rank or other layers than the run" in capsys.readouterr().err
    assert train.main([*options, "--rank", "4", *given, "--rate", "0"]) == 0
    state, saved = read_checkpoint(then), load_file(first / "adapter.safetensors")
    assert state is not None
    assert all(torch.equal(weight, saved[name].float()) for name, weight in state["adapter"].items())
