"""Answers between runs: the same question is asked once, another one never gets its answer."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from rich.progress import Progress

from corpora.errors import InputError
from runner.asking.answer_cache import AnswerCache
from runner.asking.drafts import TraceDraft
from runner.asking.generation import Generation, Prompt
from runner.asking.request import GenerationRequest
from runner.records.samples import Sample, SampleFile
from runner.runs.evaluation_run import EvaluationRun, EvaluationSettings
from tests.runner.runs.test_evaluation_run import CASE, LOOP, Writing


class Identified(Writing):
    """A model with weights of its own, which counts how much it is asked."""

    weights = "float32 abc"

    def __init__(self, *ids: int) -> None:
        super().__init__(*ids)
        self.asked = 0

    def generate(self, prompts: Sequence[Prompt], max_tokens: int, on_token: object) -> list[Generation]:
        self.asked += len(prompts)
        return super().generate(prompts, max_tokens, on_token)


def run(folder: Path, backend: Identified, name: str, **settings: object) -> list[Sample]:
    chosen = EvaluationSettings(recipes=(), **{"max_tokens": 50, **settings})  # type: ignore[arg-type]
    file = SampleFile(folder / f"{name}.jsonl")
    cache = AnswerCache(folder / "cache", backend)
    return EvaluationRun(backend, chosen, file, Progress(disable=True), cache).run([CASE, LOOP])


def test_another_run_asks_nothing_that_is_known_and_records_the_same(tmp_path: Path) -> None:
    first, second = Identified(1, 2, 3), Identified(9)
    samples = run(tmp_path, first, "a")
    assert first.asked == 2 and run(tmp_path, second, "b") == samples and second.asked == 0


@pytest.mark.parametrize("settings", [{"max_tokens": 49}, {"decode": "plain"}, {"stop_at_divergence": True}])
def test_other_settings_are_another_question(tmp_path: Path, settings: dict[str, object]) -> None:
    run(tmp_path, Identified(1), "a")
    other = Identified(1)
    run(tmp_path, other, "b", **settings)
    assert other.asked == 2


def test_other_weights_under_the_same_name_are_another_model(tmp_path: Path) -> None:
    run(tmp_path, Identified(1), "a")
    other = Identified(2)
    other.weights = "float32 def"
    assert {sample.output for sample in run(tmp_path, other, "b")} == {other.tokenizer.decode([2])}
    assert other.asked == 2


HALF = json.dumps({"generation": {"ids": 1, "text": "", "stopped": "end"}, "decode": "plain"})


@pytest.mark.parametrize("content", ["", "{", "[]", "null", HALF, '{"generation": 1}'])
def test_a_damaged_answer_is_asked_for_anew_and_mended(tmp_path: Path, content: str) -> None:
    samples = run(tmp_path, Identified(1), "a")
    files = sorted((tmp_path / "cache").glob("*/*.json"))
    files[0].write_text(content)
    again = Identified(1)
    assert run(tmp_path, again, "b") == samples and again.asked == 1
    assert json.loads(files[0].read_text())["generation"]


@pytest.mark.parametrize("stopped", ["failed", "unrecorded"])
def test_what_is_no_answer_is_not_kept(tmp_path: Path, stopped: str) -> None:
    from runner.asking.ask import IndexedGeneration

    backend = Identified(1)
    cache = AnswerCache(tmp_path, backend)
    request = GenerationRequest(Prompt("a", "original", (1, 2)), 5, TraceDraft(()), None)
    answer = Generation((1,), "x", "end", margin=0.5)
    cache.put(request, "plain", IndexedGeneration(0, replace(answer, stopped=stopped), "plain"))  # type: ignore[arg-type]
    assert cache.get(request, "plain") is None
    cache.put(request, "plain", IndexedGeneration(0, answer, "plain"))
    assert cache.get(request, "plain") == (answer, "plain")


def test_a_model_without_an_identity_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the weights of writing cannot be identified"):
        AnswerCache(tmp_path, Writing(1))


def test_a_place_that_can_be_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="--cache"):
        AnswerCache(tmp_path / "file" / "x", Identified(1))
