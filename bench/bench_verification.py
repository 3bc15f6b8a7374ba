"""Speculative verification, compared with plain decoding: the same prompts, model and machine, the same answers.

The programs are from the zoo, depth 1 to 3, with a token limit of the reference trace plus 64. There are three groups:
programs that the model traces correctly, four in five of them, and none, one at a time and in batches. In a batch,
plain decoding shares its overhead, so less is saved. The model is the small tracer of the tests. With a large model on
a GPU, which is limited by memory bandwidth, more should be.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measured_row import Row, timed

from analyze import trace_call
from corpora import Case, load
from runner.asking.ask import Decode, ask
from runner.asking.drafts import trace_draft
from runner.asking.generation import Generation, Prompt
from runner.asking.prompts import prompt_ids
from runner.asking.request import GenerationRequest
from runner.backends import load_model

MODEL = Path(__file__).parents[1] / "tests" / "models" / "small_tracer"
ROUNDS = 2
COUNT = 10
BATCHES = (1, 8)
GOALS = {"all right": 1 / 20, "four in five right": 1 / 4, "all wrong": 1.0}


def rows() -> Iterator[Row]:
    """Yield a row for each group and batch size."""
    backend: Any = load_model(str(MODEL), device="cpu")
    for name, cases in groups(backend).items():
        for batch in BATCHES:
            times: dict[Decode, list[float]] = {"plain": [], "verified": []}
            answers: dict[Decode, list[Generation]] = {}
            for _ in range(ROUNDS):
                for decode, taken in times.items():
                    seconds, answers[decode] = measure(backend, cases, batch, decode)
                    taken.append(seconds)
            if [one.ids for one in answers["plain"]] != [one.ids for one in answers["verified"]]:
                raise AssertionError(f"{name}, batch {batch}: verification gives other answers than plain decoding")
            job = f"answers, {name}, {batch} at a time"
            goal = GOALS[name] if batch == 1 else None
            yield Row(job, min(times["verified"]), "plain decoding", min(times["plain"]), goal)


def request(case: Case, backend: Any) -> GenerationRequest:
    trace = trace_call(case.source, case.call, case.grading)
    prompt = Prompt(case.id, "original", tuple(prompt_ids(case, "bare", backend.tokenizer)))
    draft = trace_draft(trace, case.call, "bare", backend.tokenizer)
    return GenerationRequest(prompt, (trace.count_tokens(backend.tokenizer) or 0) + 64, draft)


def measure(backend: Any, cases: list[Case], batch: int, decode: Decode) -> tuple[float, list[Generation]]:
    """Processor seconds, and the answers in order."""
    requests = [request(case, backend) for case in cases]
    answers, seconds = timed(lambda: list(ask(backend, requests, batch, decode)), "processor")
    return seconds, [one.generation for one in sorted(answers, key=lambda one: one.index)]


def groups(backend: Any) -> dict[str, list[Case]]:
    """Prompts of similar length, grouped by the share that the model traces correctly."""
    cases = [case for depth in (1, 2, 3) for case in load("zoo", size=6, depth=depth, seed=1)]
    _, answers = measure(backend, cases, 16, "verified")
    right: list[Case] = []
    wrong: list[Case] = []
    for case, answer in zip(cases, answers, strict=True):
        trace = trace_call(case.source, case.call, case.grading)
        (right if answer.text == trace.text else wrong).append(case)
    mixed = right[: COUNT * 4 // 5] + wrong[: COUNT // 5]
    return {"all right": right[:COUNT], "four in five right": mixed, "all wrong": wrong[:COUNT]}
