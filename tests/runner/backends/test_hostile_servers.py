"""`openai:` and `vllm:` against servers on this machine that hang, flood, echo the key, redirect or answer nonsense."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from corpora.errors import InputError
from runner.asking.ask import ask
from runner.asking.drafts import TraceDraft
from runner.asking.generation import Generation, Prompt
from runner.asking.request import GenerationRequest
from runner.backends import load_model
from runner.backends.shared import openai_client
from runner.backends.shared.servers import Address
from runner.cli import main
from tests.runner.backends.hostile_server import HostileServer, hostile_server

pytest.importorskip("openai")

KEY = "sk-very-secret/+=&"
KINDS = pytest.mark.parametrize("kind", ["openai", "vllm"])


@pytest.fixture(scope="module")
def other() -> Iterator[HostileServer]:
    with hostile_server() as server:
        yield server


@pytest.fixture(scope="module")
def server(other: HostileServer) -> Iterator[HostileServer]:
    with hostile_server(other.url("good")) as server:
        yield server


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def answers(kind: str, url: str, count: int = 1, seconds: float = 60.0) -> list[Generation]:
    backend: Any = load_model(f"{kind}:tracer@{url}")
    backend.seconds, backend._client.max_retries = seconds, 1
    requests = [
        GenerationRequest(Prompt(str(number), "original", (40, 50)), 5, TraceDraft(())) for number in range(count)
    ]
    return [answer.generation for answer in ask(backend, requests, 4, "plain")]


@KINDS
@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        ("endless-body", "larger than 4 MiB"),
        ("gzip-bomb", "larger than 4 MiB"),
        ("gzip-garbage", "cannot be decompressed"),
        ("unknown-compression", "is compressed"),
        ("redirect-for-ever", "redirects more than 5 times"),
        ("echo-in-error", "bad key: Bearer [API key]"),
        ("echo-in-html", "Error code: 403"),
        ("echo-escaped", "Bearer [API key]"),
        ("echo-in-utf16", "Bearer [API key]"),
        ("echo-in-headers", "Error code: 500"),
        ("malformed-json", "JSONDecodeError"),
        ("deep-json", "nested too deeply"),
        ("internal-error", "out of order"),
        ("wait-for-a-day", "Error code: 429"),
        ("reset", "Connection error"),
        ("html", "no choices"),
        ("chunked-garbage", "Connection error"),
        ("endless-headers", "Connection error"),
        ("short-body", "Connection error"),
        ("null-content", "the server's answer has"),
        ("text-as-list", "the server's answer has"),
        ("number-content", "the server's answer has"),
        ("no-choices", "no choices"),
        ("null-choices", "no choices"),
        ("choices-of-strings", "the server's answer has"),
        ("choices-as-object", "no choices"),
    ],
)
def test_a_bad_answer_fails_its_question_with_the_reason(
    kind: str, behaviour: str, reason: str, server: HostileServer
) -> None:
    (answer,) = answers(kind, server.url(behaviour))
    assert answer.stopped == "failed" and reason in answer.why and "\n" not in answer.why
    assert "very-secret" not in answer.why


@pytest.mark.parametrize(
    "behaviour", ["bad-logprobs", "nan-logprobs", "unknown-ids", "negative-ids", "no-finish-reason"]
)
def test_ids_that_cannot_be_used_fail_the_question(behaviour: str, server: HostileServer) -> None:
    (answer,) = answers("vllm", server.url(behaviour))
    assert answer.stopped == "failed" and "the server's answer has" in answer.why


@pytest.mark.parametrize(
    "behaviour", ["good", "gzip-of-an-answer", "redirect-here", "no-finish-reason", "too-many-requests"]
)
def test_an_unusual_answer_is_read(behaviour: str, server: HostileServer) -> None:
    (answer,) = answers("openai", server.url(behaviour))
    assert (answer.text, answer.stopped) == ("fine", "end")


def test_a_deep_field_beside_the_answer_ends_nothing(server: HostileServer) -> None:
    (answer,) = answers("openai", server.url("deep-field"))
    assert answer.text == "x" or "nested too deeply" in answer.why


def test_a_prompt_is_not_sent_to_another_host(server: HostileServer, other: HostileServer) -> None:
    before = len(other.prompts)
    (answer,) = answers("openai", server.url("redirect"))
    assert answer.stopped == "failed" and f"redirects to {other.url('good')}, and prompts are not sent" in answer.why
    assert len(other.prompts) == before and "very-secret" not in answer.why
    assert answers("openai", other.url("good"))[0].text == "fine", "the user may name it"


@pytest.mark.medium
@KINDS
@pytest.mark.parametrize("behaviour", ["hang", "slow-headers", "slow-body"])
def test_an_answer_that_does_not_end_is_given_up(kind: str, behaviour: str, server: HostileServer) -> None:
    (answer,) = answers(kind, server.url(behaviour), seconds=0.5)
    assert answer.stopped == "failed" and answer.why


def test_an_answer_is_there_before_the_slowest(server: HostileServer) -> None:
    backend: Any = load_model(f"openai:tracer@{server.url('good')}")
    held, own = server.url("hang"), backend._ask

    def sometimes(text: Any, max_tokens: int, prompt: Prompt) -> Any:
        hanging = openai_client.client(Address("tracer", held)).completions
        return hanging.create(model="tracer", prompt=text) if prompt.case_id == "0" else own(text, max_tokens, prompt)

    backend._ask = sometimes
    requests = [GenerationRequest(Prompt(str(number), "original", (40,)), 5, TraceDraft(())) for number in range(6)]
    found = ask(backend, requests, 2, "plain")
    assert [next(found).index for _ in range(5)] == [1, 2, 3, 4, 5], "while the first still hangs"


@pytest.mark.medium
@KINDS
@pytest.mark.parametrize("behaviour", ["hang", "slow-headers", "slow-body"])
def test_a_list_that_does_not_end_is_named_soon(
    kind: str, behaviour: str, server: HostileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openai_client, "LIST_SECONDS", 0.5)
    with pytest.raises(InputError, match=r"no server answers at .*: is it running"):
        load_model(f"{kind}:tracer@{server.url('list-' + behaviour)}")
    assert server.seen[behaviour], "it was asked"


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        ("endless-body", "larger than 4 MiB"),
        ("gzip-bomb", "larger than 4 MiB"),
        ("deep-json", "does not list models"),
        ("malformed-json", "does not list models"),
        ("redirect", "prompts are not sent to an address"),
        ("echo-in-error", r"bad key: Bearer \[API key\]"),
        ("echo-as-a-model", r"has \[API key\], not tracer"),
        ("reset", "Connection error"),
    ],
)
def test_a_bad_list_is_named_without_the_key(behaviour: str, reason: str, server: HostileServer) -> None:
    with pytest.raises(InputError, match=reason) as refusal:
        load_model(f"openai:tracer@{server.url('list-' + behaviour)}")
    assert "very-secret" not in str(refusal.value) and "\n" not in str(refusal.value)


@pytest.mark.medium
def test_a_server_that_takes_no_connection_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_client, "LIST_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(InputError, match="is it running"):
        load_model(f"openai:tracer@http://127.0.0.1:{silent.getsockname()[1]}/v1")


@pytest.mark.model
@pytest.mark.parametrize("behaviour", ["echo-in-error", "echo-escaped", "echo-in-answer", "redirect"])
def test_a_key_that_the_server_repeats_is_in_no_file_and_on_no_screen(
    behaviour: str, server: HostileServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--limit", "2", "--recipe", "none", "--max-tokens", "20", "--output", str(tmp_path / "run")]
    status = main(["run", "zoo", "--model", f"openai:tracer@{server.url(behaviour)}", *options])
    assert status == (0 if behaviour == "echo-in-answer" else 2)
    said = capsys.readouterr()
    written = [path.read_text() for path in (tmp_path / "run").iterdir()]
    for text in [said.out, said.err, *written]:
        assert "secret" not in text
    rows = [json.loads(line) for line in (tmp_path / "run" / "samples.jsonl").read_text().splitlines()]
    assert len(rows) == 2 and all(
        "[API key]" in row["reason"] + row["output"] for row in rows if behaviour != "redirect"
    )
    if status:
        assert "none of 2 questions was answered" in said.err.splitlines()[-1]


def test_placeholders_for_a_key_are_left_in_answers(server: HostileServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "fine")
    assert answers("openai", server.url("good"))[0].text == "fine"


@pytest.mark.parametrize("spec", ["openai:tracer@http://h/v1?key=x", "vllm:tracer@http://h/v1#x"])
def test_an_address_with_parameters_is_refused(spec: str) -> None:
    with pytest.raises(InputError, match="OPENAI_API_KEY instead"):
        load_model(spec)
