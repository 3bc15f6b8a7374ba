"""`vllm:` and `openai:` against a real server process that serves the small tracer over the same protocol.

With VLLM_URL, the address of a vLLM that serves `tests/models/small_tracer` as `tracer`, what is asked of
the whole protocol is asked of vLLM itself; what is about servers that are down, slow or broken needs a broken one.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from analyze import trace_call
from corpora.errors import InputError
from runner.asking.ask import ask
from runner.asking.drafts import trace_draft
from runner.asking.generation import Prompt
from runner.asking.prompts import prompt_ids
from runner.asking.request import GenerationRequest
from runner.backends import load_model
from runner.cli import main
from runner.inputs.benchmarks import benchmark_cases
from runner.records.samples import read_samples
from tests.local_server import serving
from tests.models import SMALL_TRACER
from tests.places import ROOT

pytestmark = pytest.mark.model
pytest.importorskip("torch")
pytest.importorskip("openai")

NOWHERE = "http://127.0.0.1:9/v1"
LIMIT = 90


@pytest.fixture(scope="module")
def server() -> Iterator[Callable[[str], str]]:
    """Gives the address of a server of this kind. One process serves all kinds, because it takes seconds to start."""
    command = [sys.executable, "-m", "tests.runner.backends.model_server"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            port = int(process.stdout.readline())
            yield lambda kind: f"http://127.0.0.1:{port}/{kind}/v1"
        finally:
            process.kill()


@pytest.fixture
def url(request: pytest.FixtureRequest) -> str:
    return os.environ.get("VLLM_URL") or str(request.getfixturevalue("server")("busy"))


def requests(backend: Any, count: int = 3) -> list[GenerationRequest]:
    found = []
    for case in benchmark_cases("zoo", count):
        trace = trace_call(case.source, case.call, case.grading)
        prompt = Prompt(case.id, "original", tuple(prompt_ids(case, "bare", backend.tokenizer)))
        limit = min(LIMIT, (trace.count_tokens(backend.tokenizer) or LIMIT) + 40)
        found.append(GenerationRequest(prompt, limit, trace_draft(trace, case.call, "bare", backend.tokenizer)))
    return found


@pytest.mark.medium
@pytest.mark.parametrize("count", [3, pytest.param(8, marks=pytest.mark.exhaustive)])
def test_vllm_answers_by_drafts_as_the_model_itself_does(url: str, count: int) -> None:
    own: Any = load_model(str(SMALL_TRACER), device="cpu")
    there: Any = load_model(f"vllm:tracer@{url}")
    assert (there.context, there.prompt_formats) == (4096, ("bare",))
    here = sorted(ask(own, requests(own, count), count // 2 + 1, "verified"), key=lambda told: told.index)
    gaps = [one.generation.margin for one in here]
    for decode in ("verified", "plain"):
        told = sorted(ask(there, requests(own, count), count // 2 + 1, decode), key=lambda told: told.index)
        assert [one.generation.ids for one in told] == [one.generation.ids for one in here]
        assert [one.generation.stopped for one in told] == [one.generation.stopped for one in here]
        assert {one.decode for one in told} == {decode}
        # Of every token: those that were decoded behind the draft count as those of the draft do.
        assert [one.generation.margin for one in told] == pytest.approx(gaps, abs=1e-3)


@pytest.mark.medium
def test_vllm_scores_what_the_model_scores(url: str) -> None:
    own: Any = load_model(str(SMALL_TRACER), device="cpu")
    there: Any = load_model(f"vllm:tracer@{url}")
    ids = [*requests(own, 1)[0].prompt.ids, 5, 6, 7]
    (one,), (other,) = own.score([(ids, 10)]), there.score([(ids, 10)])
    assert one.best == other.best and one.margins == pytest.approx(other.margins, abs=1e-3)


@pytest.mark.medium
def test_a_run_over_a_server_decodes_plainly_and_says_so(url: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    spec = f"openai:tracer@{url}"
    options = ["--limit", "2", "--prompt", "bare", "--recipe", "none", "--max-tokens", "40", "--output", str(out)]
    assert main(["run", "zoo", "--model", spec, *options]) == 0
    samples = read_samples(out / "samples.jsonl")
    assert {sample.decode for sample in samples} == {"plain"} and all(sample.output for sample in samples)


@pytest.mark.medium
@pytest.mark.parametrize("kind", ["vllm", "openai"])
def test_sampled_answers_come_from_a_server_by_seed_and_are_decoded_plainly(
    url: str, tmp_path: Path, kind: str
) -> None:
    options = ["--limit", "2", "--prompt", "bare", "--recipe", "none", "--max-tokens", "20", "--temperature", "4"]
    found = []
    for name in ("one", "two"):
        words = ["run", "zoo", "--model", f"{kind}:tracer@{url}", *options, "--num-samples", "3"]
        assert main([*words, "--output", str(tmp_path / name)]) == 0
        found.append(read_samples(tmp_path / name / "samples.jsonl"))
    found = [sorted(samples, key=lambda sample: sample.key) for samples in found]  # they are written as they arrive
    assert found[0] == found[1], "the same seeds give the same answers"
    assert sorted(sample.answer_index or 0 for sample in found[0]) == [0, 0, 1, 1, 2, 2]
    assert {(sample.decode, sample.margin, sample.temperature) for sample in found[0]} == {("plain", None, 4.0)}
    assert len({sample.output for sample in found[0]}) > 2


@pytest.mark.medium
def test_a_key_is_written_to_no_file(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    options = ["--limit", "1", "--recipe", "none", "--max-tokens", "20", "--output", str(tmp_path / "run")]
    assert main(["run", "zoo", "--model", f"vllm:tracer@{url}", *options]) == 0
    for path in (tmp_path / "run").iterdir():
        assert "very-secret" not in path.read_text(), path
    with pytest.raises(InputError, match="OPENAI_API_KEY instead"):
        load_model("vllm:tracer@http://me:sk-very-secret@localhost:1/v1")


@pytest.mark.parametrize("spec", ["vllm:tracer@", "openai:tracer", "vllm:@http://x", "openai:tracer@ftp://x/v1"])
def test_a_spec_without_name_or_address_is_refused_with_its_form(spec: str) -> None:
    with pytest.raises(InputError, match="NAME@URL"):
        load_model(spec)


@pytest.mark.medium
@pytest.mark.parametrize("kind", ["vllm", "openai"])
def test_a_server_that_is_down_or_has_another_model_is_named(kind: str, url: str) -> None:
    with pytest.raises(InputError, match="is it running") as refusal:
        load_model(f"{kind}:tracer@{NOWHERE}")
    assert "\n" not in str(refusal.value)
    with pytest.raises(InputError, match="has tracer, not other"):
        load_model(f"{kind}:other@{url}")


def test_a_server_without_the_tokens_of_traces_is_refused(server: Callable[[str], str]) -> None:
    with pytest.raises(InputError, match="the vocabulary has no token"):
        load_model(f"vllm:tracer@{server('other-vocabulary')}")


@pytest.mark.parametrize("kind", ["vllm", "openai"])
def test_nonsense_fails_each_question_and_ends_nothing(
    kind: str, server: Callable[[str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--limit", "2", "--recipe", "none", "--max-tokens", "20", "--output", str(tmp_path / "run")]
    assert main(["run", "zoo", "--model", f"{kind}:tracer@{server('nonsense')}", *options]) == 2
    captured = capsys.readouterr()
    assert "The same command asks the failed questions again" in captured.out
    assert "none of 2 questions was answered" in captured.err.splitlines()[-1]
    rows = [json.loads(line) for line in (tmp_path / "run" / "samples.jsonl").read_text().splitlines()]
    assert {row["verdict"] for row in rows} == {"not asked"} and all(
        "the server's answer" in row["reason"] for row in rows
    )


def test_a_server_that_takes_text_alone_is_given_text(server: Callable[[str], str]) -> None:
    there = load_model(f"openai:tracer@{server('text-only')}")
    (answer,) = there.generate([Prompt("a", "original", (40, 50))], 5, lambda active: None)
    assert answer.stopped == "limit" and answer.text


@pytest.mark.medium
@pytest.mark.parametrize("kind", ["plain", "reasoning"])
def test_direct_answers_are_asked_for_by_chat(kind: str, server: Callable[[str], str], tmp_path: Path) -> None:
    words = ["--num-programs", "2", "--length", "4", "--max-tokens", "12", "--output", str(tmp_path / "direct")]
    assert main(["experiment", "direct", "--model", f"openai:tracer@{server(kind)}", *words]) == 0
    samples = read_samples(tmp_path / "direct" / "direct" / "samples.jsonl")
    assert len(samples) == 2 and all(sample.output and sample.decode == "plain" for sample in samples)
    assert all("### System prompt\nYou are a Python code execution tracer" in sample.prompt for sample in samples)
    assert {sample.diagnosis for sample in samples} == {None}


@pytest.mark.medium
def test_forced_actions_over_a_server_of_text_are_written_plainly(server: Callable[[str], str], tmp_path: Path) -> None:
    options = ["--limit", "1", "--prompt", "bare", "--recipe", "none", "--max-tokens", "60", "--output", str(tmp_path)]
    words = ["run", "zoo", "--model", f"openai:tracer@{server('text-only')}", *options]
    assert main([*words, "--mode", "forced"]) == 2
    assert main([*words, "--mode", "forced-actions"]) == 0
    (sample,) = read_samples(tmp_path / "samples.jsonl")
    assert (sample.mode, sample.decode) == ("forced-actions", "plain")
    assert sample.output.startswith("<|call_sep|>") and "def main(): # << START_OF_TRACE" in sample.output


@pytest.mark.medium
@pytest.mark.parametrize("mode", ["forced-actions", "forced"])
def test_forced_modes_over_vllm_are_those_of_the_model_itself(url: str, tmp_path: Path, mode: str) -> None:
    found = []
    for name, model in (("own", str(SMALL_TRACER)), ("there", f"vllm:tracer@{url}")):
        options = ["--limit", "1", "--recipe", "none", "--max-tokens", "60", "--output", str(tmp_path / name)]
        assert main(["run", "zoo", "--model", model, "--mode", mode, *options]) == 0
        samples = read_samples(tmp_path / name / "samples.jsonl")
        assert {sample.decode for sample in samples} == {"verified"}
        found.append({sample.id: (sample.output, sample.verdict) for sample in samples})
    assert found[0] == found[1]


@pytest.mark.parametrize("kind", ["vllm", "openai"])
@pytest.mark.parametrize("said", ["<html>It works!</html>", '{"data": 5}', "[]"])
def test_something_else_at_the_address_is_named(kind: str, said: str) -> None:
    class Other(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Nothing."""

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/json" if said[0] != "<" else "text/html")
            self.end_headers()
            self.wfile.write(said.encode())

    with serving(ThreadingHTTPServer(("127.0.0.1", 0), Other)) as port:
        with pytest.raises(InputError, match="does not list models: is it an OpenAI-compatible server") as refusal:
            load_model(f"{kind}:tracer@http://127.0.0.1:{port}/v1")
        assert "\n" not in str(refusal.value)


def test_a_vocabulary_without_the_tokens_of_traces_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "model"
    shutil.copytree(SMALL_TRACER, folder)
    vocabulary = (folder / "tokenizer.json").read_text()
    (folder / "tokenizer.json").write_text(vocabulary.replace("<|arg_sep|>", "<|other|>"))
    assert main(["run", "zoo", "--limit", "1", "--model", str(folder), "--output", str(tmp_path / "o")]) == 2
    said = capsys.readouterr().err
    assert "the vocabulary has no token <|arg_sep|>, so the model cannot write traces: use" in said
    assert len(said.strip().splitlines()) == 1
