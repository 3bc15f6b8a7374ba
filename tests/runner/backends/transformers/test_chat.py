"""Direct answers of local weights: asked in their chat template, read without a trace; a model with a template."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

import torch

from corpora import Case, load
from corpora.errors import InputError
from runner import evaluate, load_model
from runner.asking.direct_prompts import messages
from runner.cli import main
from runner.records.samples import read_samples, schema
from tests.models import SMALL_TRACER

TEMPLATE = (
    "<|begin_of_text|>{% for message in messages %}{{ message.role }}: {{ message.content }}<|end_of_text|>"
    "{% endfor %}{% if add_generation_prompt %}assistant: {% endif %}"
)


@pytest.fixture(scope="module")
def chatting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small tracer whose tokenizer has a chat template."""
    place = shutil.copytree(SMALL_TRACER, tmp_path_factory.mktemp("model") / "chatting")
    said = {"tokenizer_class": "PreTrainedTokenizerFast", "chat_template": TEMPLATE}
    (place / "tokenizer_config.json").write_text(json.dumps(said))
    return place


def saying(model: Any, text: list[int]) -> Callable[[], None]:
    """Makes the model's head say these ids, one after the other; gives what ends that."""
    said = iter(text)

    def force(module: object, inputs: object, logits: Any) -> Any:
        forced = torch.full_like(logits, -1.0)
        forced[:, -1, next(said)] = 1.0
        return forced

    hook = model.lm_head.register_forward_hook(force)
    return lambda: hook.remove()


def test_weights_without_a_template_are_not_asked_by_chat(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            [
                "experiment",
                "direct",
                "--length",
                "1",
                "--num-programs",
                "1",
                "--model",
                str(SMALL_TRACER),
                "--output",
                str(tmp_path),
            ]
        )
        == 2
    )
    said = capsys.readouterr().err
    assert "--prompt direct: the model has no chat template: use openai:NAME@URL, or weights" in said


def test_a_chat_has_the_special_tokens_of_its_template_and_none_of_the_program(chatting: Path) -> None:
    backend: Any = load_model(str(chatting), device="cpu")
    end, begin = (backend.tokenizer.special_id(f"<|{name}_of_text|>") for name in ("end", "begin"))
    plain = backend.chat_ids((("system", "be brief"), ("user", "x = '|end|'")))
    assert plain[0] == begin and plain.count(end) == 2
    assert backend.tokenizer.decode(plain) == (
        "<|begin_of_text|>system: be brief<|end_of_text|>user: x = '|end|'<|end_of_text|>assistant: "
    )
    spelled = backend.chat_ids((("system", "be brief"), ("user", "x = '<|end_of_text|>'")))
    assert spelled[0] == begin and spelled.count(end) == 2, "the program's is text"
    assert "x = '<|end_of_text|>'" in backend.tokenizer.decode(spelled)


@pytest.mark.medium
@pytest.mark.parametrize("right", [True, False])
def test_the_answer_is_read_from_what_the_model_says(chatting: Path, right: bool) -> None:
    backend: Any = load_model(str(chatting), device="cpu")
    case: Case = next(iter(load("permutations", length=3, size=1)))
    answer = str(case.expected).strip("{}").replace("'", "").replace(": ", "=")
    text = f"I think.\n\nAnswer: {answer if right else answer.replace('a=', 'a=1')}"
    undo = saying(backend.model, [*backend.tokenizer.encode(text), backend.tokenizer.special_id("<|end_of_text|>")])
    (sample,) = evaluate(backend, [case], prompt="direct", recipes=(), max_tokens=200)
    undo()
    assert (sample.verdict, sample.stopped, sample.output) == ("correct" if right else "incorrect", "end", text)
    assert (sample.decode, sample.diagnosis, sample.action) == ("plain", None, None)
    assert sample.prompt_tokens == len(backend.chat_ids(messages(case)))
    assert sample.prompt.startswith("### System prompt\nYou are a Python code execution tracer.")


@pytest.mark.medium
def test_the_experiment_goes_through_with_its_defaults(chatting: Path, tmp_path: Path) -> None:
    words = ["experiment", "direct", "--model", str(chatting), "--length", "1", "--length", "2", "--num-programs", "1"]
    assert main([*words, "--max-tokens", "12", "--output", str(tmp_path)]) == 0
    samples = read_samples(tmp_path / "direct" / "samples.jsonl")
    assert [(sample.kind, sample.verdict, sample.output_tokens) for sample in samples] == [
        ("S5, length 1", "truncated", 12),
        ("S5, length 2", "truncated", 12),
    ]
    jsonschema = pytest.importorskip("jsonschema")
    for line in (tmp_path / "direct" / "samples.jsonl").read_text().splitlines():
        jsonschema.validate(json.loads(line), schema())
    assert "Prompt: the paper's, Appendix C.1." in (tmp_path / "report.md").read_text()


@pytest.mark.medium
def test_sampled_and_rewritten_answers_are_asked_by_chat_too(chatting: Path) -> None:
    rows = [{"id": "a", "code": "def f(x):\n    return (x + 1) * (x + 2)\n", "input": "1"}]
    samples = evaluate(str(chatting), rows, prompt="direct", max_tokens=8, temperature=0.7, num_samples=2)
    assert [(s.attempt, s.answer_index) for s in samples] == [
        ("original", 0),
        ("original", 1),
        ("decompose", 0),
        ("decompose", 1),
    ]
    assert all(s.prompt.startswith("### System prompt") and s.stopped == "limit" for s in samples)


def test_an_empty_template_is_none(chatting: Path, tmp_path: Path) -> None:
    place = shutil.copytree(chatting, tmp_path / "model")
    (place / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "PreTrainedTokenizerFast"}))
    with pytest.raises(InputError, match="has no chat template"):
        evaluate(str(place), "permutations", prompt="direct", generator_options={"size": 1, "length": 1})
