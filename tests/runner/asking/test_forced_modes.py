"""The forced modes: in float32 the same by drafts and plainly, and what is injected is the true trace."""

from functools import cache
from itertools import product
from typing import Any

import pytest

from analyze import Trace, trace_call
from analyze.diagnosis.parse_output import parse_ids
from analyze.diagnosis.predictions import PredictionScores, frame_parts, score_predictions
from analyze.gold_trace.frames import frames_to_ids
from corpora import Case
from runner.asking.answer import PendingAnswer
from runner.asking.ask import ask
from runner.asking.forced_modes import ForcedTrace
from runner.asking.generation import Generation, Prompt, stop_ids
from runner.asking.prompts import prompt_ids
from runner.asking.request import GenerationRequest
from runner.records.samples import Mode
from tests.runner.asking.test_ask import BENCHMARKS, Scoring, agree, by_place, cases, tracer
from tests.samples import sampled

pytestmark = pytest.mark.model
pytest.importorskip("torch")

FORCED: tuple[Mode, ...] = ("forced-actions", "forced")
LIMIT = {"forced-actions": 60, "forced": 40}


@cache
def true(source: str, call: str, grading: Any) -> Trace:
    return trace_call(source, call, grading)


def requests(asked: list[Case], mode: Mode, limit: int | None = None) -> list[GenerationRequest]:
    backend, found = tracer(), []
    for case in asked:
        script = ForcedTrace(true(case.source, case.call, case.grading), mode, backend.tokenizer)
        prompt = Prompt(case.id, "original", tuple(prompt_ids(case, "bare", backend.tokenizer)))
        found.append(GenerationRequest(prompt, limit or LIMIT[mode], script, None, script))
    return found


EACH = list(product(BENCHMARKS, FORCED))


@pytest.mark.medium
@pytest.mark.parametrize(("name", "mode"), sampled(EACH, map("-".join, EACH), every=5))
def test_a_forced_answer_is_the_same_by_drafts_and_plainly(name: str, mode: Mode) -> None:
    asked = cases(name)[:2]
    plain = by_place(ask(tracer(), requests(asked, mode), 8, "plain"))
    verified = by_place(ask(tracer(), requests(asked, mode), 2, "verified"))
    assert {told.decode for told in plain} == {"plain"} and {told.decode for told in verified} == {"verified"}
    assert all(map(agree, plain, verified))


@pytest.mark.medium
@pytest.mark.parametrize("mode", FORCED)
def test_a_backend_that_scores_and_generates_alone_gives_the_same(mode: Mode) -> None:
    backend: Any = Scoring(tracer())
    plain = by_place(ask(tracer(), requests(cases("permutations")[:2], mode), 8, "plain"))
    scored = by_place(ask(backend, requests(cases("permutations")[:2], mode), 8, "verified"))
    assert all(map(agree, plain, scored)) and backend.scored


@pytest.mark.medium
def test_the_actions_are_the_true_ones_and_the_states_the_models_own() -> None:
    asked = cases("permutations")[:2]
    for case, told in zip(
        asked, by_place(ask(tracer(), requests(asked, "forced-actions", 400), 2, "verified")), strict=True
    ):
        trace = true(case.source, case.call, case.grading)
        frames = parse_ids(told.generation.ids, tracer().tokenizer).frames
        assert len(frames) > 5
        for frame, one in zip(frames, trace.frames, strict=False):
            assert (frame.event, frame.source) == (one.event, one.source)


@pytest.mark.medium
def test_forced_judges_each_prediction_given_the_truth() -> None:
    (case,) = cases("permutations")[:1]
    trace = true(case.source, case.call, case.grading)
    (told,) = ask(tracer(), requests([case], "forced", 4000), 1, "verified")
    ids = frames_to_ids(trace.frames, tracer().tokenizer)
    assert told.generation.stopped == "end" and len(told.generation.ids) == len(ids)
    (scores,) = tracer().score([([*requests([case], "forced")[0].prompt.ids, *ids], 0)])
    assert told.generation.ids == scores.best[-len(ids) - 1 : -1]


def said_instead(trace: Trace, frame: int, kind: str) -> PredictionScores:
    """What is judged of a model that is right but for the first token of one part."""
    tokenizer = tracer().tokenizer
    ids: list[int] = []
    for number, one in enumerate(trace.frames):
        for part in frame_parts(number, one, tokenizer):
            wrong = (number, part.kind) == (frame, kind)
            ids += [tokenizer.encode("?")[0], *part.ids[1:]] if wrong else part.ids
    return score_predictions(trace, ids, tokenizer)


PROGRAM = "def f(a):\n    b = a + 1\n    return b\n"


@pytest.mark.parametrize(
    ("frame", "kind", "right"),
    [
        (3, "state", True),
        (3, "action", True),
        (4, "event", True),
        (5, "return value", True),
        (6, "return value", False),
    ],
)
def test_one_wrong_prediction_is_one_and_only_the_last_value_is_the_answer(frame: int, kind: str, right: bool) -> None:
    judged = said_instead(trace_call(PROGRAM, "f(1)"), frame, kind)
    assert [(one.frame, one.kind) for one in judged.wrong] == [(frame, kind)]
    assert judged.correct is right and judged.reached
    counts = {name: (good, of) for name, good, of in judged.counts}
    assert sum(of - good for good, of in counts.values()) == 1 and counts["event"][1] == 7


def test_what_was_not_reached_is_not_judged() -> None:
    trace = trace_call(PROGRAM, "f(1)")
    judged = score_predictions(trace, frames_to_ids(trace.frames, tracer().tokenizer)[:9], tracer().tokenizer)
    assert not judged.reached and judged.answer is None and not judged.wrong


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("{}    and so on", "{}<|action_sep|>"),
        ('{"a": "<|line_sep|>"}x', '{"a": "<|line_sep|>"}<|action_sep|>'),
        ("{ <|line_sep|>{}", "{ <|action_sep|>"),
        ("and so on", "and so on"),
        ("<|end_of_text|>", "<|action_sep|>"),
    ],
)
def test_a_text_ends_a_state_where_its_json_ends(text: str, read: str) -> None:
    script = ForcedTrace(trace_call(PROGRAM, "f(1)"), "forced-actions", tracer().tokenizer)
    for token in script.injected_tokens():
        script.accept(token)
    assert tracer().tokenizer.decode(script.encode_continuation(text)) == read


def test_a_state_without_end_ends_with_the_limit() -> None:
    backend = tracer()
    script = ForcedTrace(trace_call(PROGRAM, "f(1)"), "forced-actions", backend.tokenizer)
    answer = PendingAnswer(
        GenerationRequest(Prompt("", "", (5,)), 30, script, None, script),
        backend.tokenizer,
        stop_ids(backend.tokenizer),
    )
    answer.inject()
    while not answer.stopped:
        answer.extend(Generation(tuple(backend.tokenizer.encode("x")), "x", "limit"))
    assert answer.stopped == "limit" and len(answer.written) == 30
