"""In float32 an answer by drafts is the answer of plain greedy decoding: a small tracer over all benchmarks."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

from analyze import trace_call
from analyze.diagnosis.early_stopping import AnswerMonitor
from corpora import Case, load
from corpora.errors import InputError
from runner.asking.ask import IndexedGeneration, ask, uses_verification
from runner.asking.backend import Backend
from runner.asking.drafts import TraceDraft, trace_draft
from runner.asking.generation import Generation, Prompt, Scores
from runner.asking.prompts import PromptFormat, prompt_ids
from runner.asking.request import GenerationRequest
from runner.backends import load_model
from runner.inputs.benchmarks import benchmark_cases
from tests.models import SMALL_TRACER
from tests.places import SHARED

pytestmark = pytest.mark.model
pytest.importorskip("torch")

CRUXEVAL = SHARED / "data" / "cruxeval_even.jsonl"
BENCHMARKS = ["humaneval", "composition", "zoo", "permutations", "cruxeval"]
SIZE, LIMIT = 5, 90


@cache
def tracer() -> Any:
    return load_model(str(SMALL_TRACER), device="cpu")


def cases(name: str) -> list[Case]:
    if name == "cruxeval":
        if not CRUXEVAL.exists():
            pytest.skip("no CruxEval beside the project")
        return list(islice(load("cruxeval", path=str(CRUXEVAL)), SIZE))
    return benchmark_cases(name, SIZE)


def requests(asked: list[Case], form: PromptFormat = "bare", *, watched: bool = False) -> list[GenerationRequest]:
    backend, found = tracer(), []
    for case in asked:
        trace = trace_call(case.source, case.call, case.grading)
        prompt = Prompt(case.id, "original", tuple(prompt_ids(case, form, backend.tokenizer)))
        draft = trace_draft(trace, case.call, form, backend.tokenizer)
        limit = min(LIMIT, (trace.count_tokens(backend.tokenizer, LIMIT) or LIMIT) + 20)
        found.append(
            GenerationRequest(prompt, limit, draft, AnswerMonitor(trace, backend.tokenizer) if watched else None)
        )
    return found


class Scoring(Backend):
    """The same model behind the two methods alone, as a server has it."""

    name = "scoring"
    scores = True
    gives_ids = True

    def __init__(self, backend: Any) -> None:
        self.tokenizer = backend.tokenizer
        self._backend = backend
        self.scored = 0

    def generate(self, prompts: Sequence[Prompt], max_tokens: int, on_token: Callable[[int], None]) -> list[Generation]:
        answers: list[Generation] = self._backend.generate(prompts, max_tokens, on_token)
        return answers

    def score(self, sequences: Sequence[tuple[Sequence[int], int]]) -> list[Scores]:
        self.scored += len(sequences)
        scores: list[Scores] = self._backend.score(sequences)
        return scores


def agree(plain: IndexedGeneration, verified: IndexedGeneration) -> bool:
    """The same text for the same reason: no tie is excused (where one parts, its `gap` says how near it was)."""
    one, other = plain.generation, verified.generation
    return (one.ids, one.text, one.stopped) == (other.ids, other.text, other.stopped)


def by_place(told: Any) -> list[IndexedGeneration]:
    return sorted(told, key=lambda one: one.index)


@pytest.mark.parametrize(
    ("form", "size"),
    [
        ("bare", 2),
        pytest.param("bare", SIZE, marks=pytest.mark.exhaustive),
        pytest.param("oneshot", 2, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("name", [pytest.param("humaneval", marks=pytest.mark.exhaustive), *BENCHMARKS[1:]])
def test_an_answer_by_drafts_is_that_of_plain_decoding(name: str, form: PromptFormat, size: int) -> None:
    asked = cases(name)[:size]
    plain = by_place(ask(tracer(), requests(asked, form), 8, "plain"))
    verified = by_place(ask(tracer(), requests(asked, form), size - 1, "verified"))
    assert {told.decode for told in plain} == {"plain"} and {told.decode for told in verified} == {"verified"}
    assert all(map(agree, plain, verified))


@pytest.mark.medium
@pytest.mark.parametrize("name", ["permutations", pytest.param("humaneval", marks=pytest.mark.exhaustive)])
def test_a_backend_that_scores_and_generates_alone_gives_the_same(name: str) -> None:
    backend: Any = Scoring(tracer())
    asked = cases(name)[:3]
    plain = by_place(ask(tracer(), requests(asked), 8, "plain"))
    verified = by_place(ask(backend, requests(asked), 2, "verified"))
    assert backend.scored >= len(asked) and all(map(agree, plain, verified))


@pytest.mark.medium
def test_an_answer_given_up_is_cut_at_the_same_place_however_it_is_decoded() -> None:
    asked = cases("humaneval")[:2] + cases("zoo")[:1]
    plain = by_place(ask(tracer(), requests(asked, watched=True), 8, "plain"))
    verified = by_place(ask(tracer(), requests(asked, watched=True), 3, "verified"))
    assert all(map(agree, plain, verified))
    assert "divergence" in {told.generation.stopped for told in verified}


@pytest.mark.medium
def test_without_a_draft_the_answer_is_the_same() -> None:
    asked = [GenerationRequest(request.prompt, request.limit, TraceDraft(())) for request in requests(cases("zoo")[:2])]
    plain = by_place(ask(tracer(), asked, 8, "plain"))
    again = [GenerationRequest(request.prompt, request.limit, TraceDraft(())) for request in asked]
    assert all(map(agree, plain, by_place(ask(tracer(), again, 2, "verified"))))


@pytest.mark.medium
def test_a_backend_that_cannot_score_decodes_plainly_and_says_so() -> None:
    backend: Any = Scoring(tracer())
    backend.scores = False
    (told,) = ask(backend, requests(cases("zoo"))[:1], 1, "verified")
    assert told.decode == "plain" and not backend.scored


@pytest.mark.medium
def test_ids_of_a_backend_of_texts_are_refused() -> None:
    """Grading reads them in place of the text."""
    backend: Any = Scoring(tracer())
    backend.gives_ids = False
    with pytest.raises(InputError, match="scoring gives an answer as token ids, which needs gives_ids = True"):
        list(ask(backend, requests(cases("zoo"))[:1], 1, "plain"))


@pytest.mark.parametrize(
    ("backend", "decode", "sampled", "expected"),
    [
        (SimpleNamespace(scores=False, verifies=False), "verified", False, False),
        (SimpleNamespace(scores=True, verifies=False), "verified", True, False),
        (SimpleNamespace(scores=True, verifies=False), "plain", False, False),
        (SimpleNamespace(scores=True, verifies=False), "verified", False, True),
        (SimpleNamespace(scores=True, verifies=True), "plain", False, False),
        (SimpleNamespace(scores=True, verifies=True), "verified", True, True),
    ],
)
def test_what_the_progress_calls_verifying_is_asked_by_drafts(
    backend: Any, decode: Any, sampled: bool, expected: bool
) -> None:
    assert uses_verification(backend, decode, sampled=sampled) == expected
