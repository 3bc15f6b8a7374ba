"""Sampled answers: drawn from the model's distribution, the same again by seed, and verified as greedy ones are."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from runner.asking.answer_cache import AnswerCache
from runner.asking.ask import IndexedGeneration, ask
from runner.asking.generation import Prompt, Sampling
from runner.asking.sampling import answer_indices, sampling_for
from runner.cli import main
from runner.records.samples import Sample, read_samples
from tests.runner.asking.test_answer_cache import Identified
from tests.runner.runs.test_evaluation_run import CASE, LOOP
from tests.runner.runs.test_evaluation_run import ask as run

SEEDS = 3


def test_greedy_answers_have_no_number_and_no_seed() -> None:
    assert answer_indices(0.0, 1) == (None,) and sampling_for(0.0, None, [1]) is None


def test_a_seed_comes_from_the_question_and_the_number_alone() -> None:
    draws = [sampling_for(0.5, number, ids) for number in answer_indices(0.5, 4) for ids in ([1], [2])]
    assert len({draw.seed for draw in draws if draw}) == 8
    assert sampling_for(0.9, 1, [1]) == replace(sampling_for(0.5, 1, [1]) or Sampling(0, 0, 0), temperature=0.9)
    assert all(0 <= draw.seed < 2**31 for draw in draws if draw)


class Drawing(Identified):
    """Writes what its draw says, and counts what it is asked."""

    def __init__(self) -> None:
        super().__init__(1, 2)
        self.draws: list[Sampling | None] = []

    def generate(self, prompts: Sequence[Prompt], max_tokens: int, on_token: object) -> Any:
        self.draws += [prompt.sampling for prompt in prompts]
        return super().generate(prompts, max_tokens, on_token)


def test_every_question_is_asked_for_each_of_its_answers_and_each_is_a_record(tmp_path: Path) -> None:
    backend = Drawing()
    samples = run(tmp_path, backend, [CASE, LOOP], temperature=0.5, num_samples=SEEDS)
    assert [(sample.id, sample.answer_index) for sample in samples] == [
        (name, n) for name in "ab" for n in range(SEEDS)
    ]
    assert {sample.temperature for sample in samples} == {0.5} and len({sample.key for sample in samples}) == 6
    assert len({draw.seed for draw in backend.draws if draw}) == 6
    assert len({sample.pairing_key for sample in samples}) == 6 and len({sample.case_key for sample in samples}) == 2


@pytest.mark.medium
@pytest.mark.usefixtures("short_endless_loops")
def test_a_program_that_does_not_run_is_not_asked_for_any_answer(tmp_path: Path) -> None:
    broken = replace(CASE, source="def f(x):\n    while True: pass\n")
    samples = run(tmp_path, Drawing(), [broken], temperature=0.5, num_samples=2)
    assert [(sample.verdict, sample.answer_index) for sample in samples] == [("not asked", 0), ("not asked", 1)]


def test_more_seeds_leave_the_first_answers_as_they_are(tmp_path: Path) -> None:
    fewer, more = Drawing(), Drawing()
    run(tmp_path, fewer, [CASE], temperature=0.5, num_samples=2)
    run(tmp_path, more, [CASE], temperature=0.5, num_samples=4)
    assert more.draws[:2] == fewer.draws


def test_the_control_of_sampled_answers_is_another_answer_to_the_unchanged_program(tmp_path: Path) -> None:
    backend = Drawing()
    samples = run(tmp_path, backend, [CASE], temperature=0.5, num_samples=2, full=True)
    assert [(sample.attempt, sample.answer_index) for sample in samples] == [
        ("original", 0),
        ("original", 1),
        ("redraw", 0),
        ("redraw", 1),
    ]
    assert len({sample.prompt for sample in samples}) == 1 and len({sample.source for sample in samples}) == 1
    assert len({draw.seed for draw in backend.draws if draw}) == 4


def test_each_answer_has_a_place_of_its_own_in_the_cache(tmp_path: Path) -> None:
    backend = Drawing()
    cache = AnswerCache(tmp_path, backend)
    from runner.asking.drafts import TraceDraft
    from runner.asking.request import GenerationRequest

    request = GenerationRequest(Prompt("a", "original", (1, 2)), 5, TraceDraft(()))
    asked = [request] + [
        replace(request, prompt=replace(request.prompt, sampling=sampling_for(temperature, number, (1, 2))))
        for temperature in (0.5, 0.9)
        for number in (0, 1)
    ]
    assert len({cache.path(one, "plain") for one in asked}) == 5


ROW = {"id": "a", "code": CASE.source, "input": "1"}


def recorded(folder: Path, *outputs: dict[str, object]) -> list[str]:
    cases, outs = folder / "cases.jsonl", folder / "outputs.jsonl"
    cases.write_text(json.dumps(ROW) + "\n")
    outs.write_text("".join(json.dumps({"id": "a", **output}) + "\n" for output in outputs))
    return ["run", str(cases), "--model", f"replay:{outs}", "--output", str(folder / "run"), "--recipe", "none"]


def records(folder: Path) -> list[Sample]:
    return read_samples(folder / "run" / "samples.jsonl")


def test_a_recording_of_sampled_answers_is_replayed_by_seed(tmp_path: Path) -> None:
    words = recorded(tmp_path, {"output": "x", "answer_index": 0}, {"output": "y", "answer_index": 1})
    assert main([*words, "--temperature", "0.5", "--num-samples", "3"]) == 0
    assert [(one.answer_index, one.output, one.verdict) for one in records(tmp_path)] == [
        (0, "x", "incorrect"),
        (1, "y", "incorrect"),
        (2, "", "not asked"),
    ]
    assert main([*words, "--temperature", "0.5", "--num-samples", "3"]) == 0, "the same command goes on"
    assert len((tmp_path / "run" / "samples.jsonl").read_text().splitlines()) == 3


def test_a_greedy_answer_is_not_replayed_for_a_sampled_one(tmp_path: Path) -> None:
    words = recorded(tmp_path, {"output": "x"})
    assert main([*words, "--temperature", "0.5"]) == 0
    assert [one.verdict for one in records(tmp_path)] == ["not asked"]


@pytest.mark.parametrize("seed", [1.5, "one", True])
def test_a_seed_that_is_no_whole_number_is_a_bad_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seed: object
) -> None:
    assert main(recorded(tmp_path, {"output": "x"}, {"output": "y", "answer_index": seed})) == 0
    assert "has an answer_index that is not an integer" in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--num-samples", "3"], "--num-samples 3: does not apply to greedy decoding: add --temperature"),
        (["--num-samples", "3", "--temperature", "0"], "does not apply to greedy decoding"),
    ],
)
def test_what_means_nothing_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    assert main([*recorded(tmp_path, {"output": "x"}), *options]) == 2
    assert said in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--temperature", "-1"], "'-1' is not a temperature of at least 0"),
        (["--temperature", "inf"], "'inf' is not a temperature"),
        (["--temperature", "0.5", "--num-samples", "0"], "'0' is not an integer of at least 1"),
    ],
)
def test_what_is_no_number_of_its_kind_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    with pytest.raises(SystemExit):
        main([*recorded(tmp_path, {"output": "x"}), *options])
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "difference"),
    [
        ([], "--temperature 0.5, not 0.0"),
        (["--temperature", "0.7", "--num-samples", "2"], "--temperature 0.5, not 0.7"),
        (["--temperature", "0.5", "--num-samples", "3"], "--num-samples 2, not 3"),
    ],
)
def test_a_folder_holds_answers_drawn_in_one_way(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], difference: str
) -> None:
    words = recorded(tmp_path, {"output": "x", "answer_index": 0})
    assert main([*words, "--temperature", "0.5", "--num-samples", "2"]) == 0
    assert main([*words, *options]) == 2
    assert difference in " ".join(capsys.readouterr().err.split())


def _drawn(requests: Sequence[Any], temperature: float) -> list[Any]:
    return [
        replace(one, prompt=replace(one.prompt, sampling=sampling_for(temperature, number, one.prompt.ids)))
        for one in requests
        for number in range(SEEDS)
    ]


def _told(backend: Any, requests: list[Any], batch: int, decode: Any) -> list[IndexedGeneration]:
    return sorted(ask(backend, requests, batch, decode), key=lambda told: told.index)


@pytest.mark.medium
@pytest.mark.model
@pytest.mark.parametrize("temperature", [pytest.param(0.3, marks=pytest.mark.exhaustive), 1.0])
def test_drafts_and_plain_sampling_write_the_same(temperature: float) -> None:
    """Whatever the batch: chance depends on nothing but the question, the answer's number and the place."""
    pytest.importorskip("torch")
    from tests.runner.asking.test_ask import cases, requests, tracer

    asked = cases("zoo")[:1] + cases("humaneval")[:1]
    plain = _told(tracer(), _drawn(requests(asked), temperature), 15, "plain")
    drafted = _told(tracer(), _drawn(requests(asked), temperature), 4, "verified")
    assert [one.generation.ids for one in plain] == [one.generation.ids for one in drafted]
    assert [one.generation.stopped for one in plain] == [one.generation.stopped for one in drafted]
    assert {one.decode for one in drafted} == {"verified"}
    assert temperature < 1 or len({one.generation.ids for one in plain}) > len(asked), "they are drawn, not greedy"


@pytest.mark.medium
@pytest.mark.model
def test_a_low_temperature_is_greedy() -> None:
    pytest.importorskip("torch")
    from tests.runner.asking.test_ask import cases, requests, tracer

    asked = requests(cases("zoo")[:1])
    greedy = _told(tracer(), asked, 4, "plain")
    cold = _told(tracer(), _drawn(asked, 1e-6), 8, "plain")
    assert [one.generation.ids for one in cold] == [one.generation.ids for one in greedy for _ in range(SEEDS)]


@pytest.mark.medium
@pytest.mark.model
@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_choices_are_distributed_as_softmax_of_logits_over_temperature(temperature: float) -> None:
    torch = pytest.importorskip("torch")
    from scipy.stats import chisquare  # type: ignore[import-untyped]

    from runner.backends.transformers.gumbel_noise import perturbed

    logits = torch.tensor([2.0, 1.0, 0.5, 0.0, -1.0])
    count = 20_000
    places = [(Sampling(temperature, 0, seed), index) for seed in range(200) for index in range(count // 200)]
    chosen = perturbed(logits.expand(count, -1), places).argmax(-1)
    expected = (logits.double() / temperature).softmax(-1) * count
    assert chisquare(chosen.bincount(minlength=5).numpy(), expected.numpy()).pvalue > 0.001


@pytest.mark.model
def test_a_row_that_is_not_drawn_is_left_greedy() -> None:
    torch = pytest.importorskip("torch")
    from runner.backends.transformers.gumbel_noise import perturbed

    logits = torch.zeros(2, 50)
    noisy = perturbed(logits, [None, (Sampling(1.0, 0, 7), 3)])
    assert not noisy[0].any() and noisy[1].any() and not logits.any()
    assert perturbed(logits, [None, None]) is logits
