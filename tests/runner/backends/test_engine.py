"""vLLM's engine in this process, with a small tracer: the answers of the model itself. Runs where vLLM is installed."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from corpora.errors import InputError
from runner.asking.ask import ask
from runner.backends import load_model
from runner.cli import main
from runner.records.samples import read_samples
from tests.models import SMALL_TRACER
from tests.runner.backends.test_servers import requests

pytestmark = [pytest.mark.model, pytest.mark.slow, pytest.mark.filterwarnings("default")]
HERE = importlib.util.find_spec("vllm") is not None


@pytest.fixture(scope="module")
def engine() -> Any:
    pytest.importorskip("vllm")
    return load_model(f"engine:{SMALL_TRACER}")


def test_a_spec_without_a_model_is_refused_with_its_form() -> None:
    with pytest.raises(InputError, match="must be engine:MODEL"):
        load_model("engine:")


@pytest.mark.skipif(HERE, reason="vLLM is installed")
def test_without_vllm_it_says_how_to_install_it() -> None:
    with pytest.raises(InputError, match="needs vllm, which has a torch of its own: pip install") as refusal:
        load_model(f"engine:{SMALL_TRACER}")
    assert "\n" not in str(refusal.value)


@pytest.mark.skipif(not HERE, reason="vLLM is not installed")
def test_a_model_that_is_not_there_is_named_in_one_line() -> None:
    with pytest.raises(InputError, match="vLLM does not start") as refusal:
        load_model("engine:no/where")
    assert "\n" not in str(refusal.value)


def test_it_answers_by_drafts_and_plainly_as_the_model_itself_does(engine: Any) -> None:
    own: Any = load_model(str(SMALL_TRACER), device="cpu")
    here = sorted(ask(own, requests(own, 8), 8, "verified"), key=lambda told: told.index)
    for decode in ("verified", "plain"):
        told = sorted(ask(engine, requests(own, 8), 8, decode), key=lambda told: told.index)
        assert [one.generation.ids for one in told] == [one.generation.ids for one in here]
        assert [one.generation.stopped for one in told] == [one.generation.stopped for one in here]
        gaps = [one.generation.margin for one in here]
        assert [one.generation.margin for one in told] == pytest.approx(gaps, abs=1e-3)


def test_it_scores_what_the_model_scores(engine: Any) -> None:
    own: Any = load_model(str(SMALL_TRACER), device="cpu")
    ids = [*requests(own, 1)[0].prompt.ids, 5, 6, 7]
    (one,), (other,) = own.score([(ids, 10)]), engine.score([(ids, 10)])
    assert one.best == other.best and one.margins == pytest.approx(other.margins, abs=1e-3)


@pytest.mark.parametrize("model", [f"engine:{SMALL_TRACER}", f"ray:2:engine:{SMALL_TRACER}"], ids=["engine", "ray"])
def test_a_run_is_that_of_the_model_itself(model: str, tmp_path: Path) -> None:
    pytest.importorskip("vllm")
    if model.startswith("ray:"):
        pytest.importorskip("ray")
    found = []
    for number, name in enumerate((str(SMALL_TRACER), model)):
        out = tmp_path / str(number)
        words = [
            "--limit",
            "6",
            "--batch-size",
            "3",
            "--prompt",
            "bare",
            "--recipe",
            "none",
            "--mode",
            "forced-actions",
        ]
        assert main(["run", "permutations", "--model", name, *words, "--max-tokens", "150", "--output", str(out)]) == 0
        samples = read_samples(out / "samples.jsonl")
        found.append({one.id: (one.output, one.verdict, one.decode, one.stopped) for one in samples})
    assert len(found[0]) == 6 and found[0] == found[1]
