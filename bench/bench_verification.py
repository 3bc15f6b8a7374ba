"""Speed-up of speculative verification over plain decoding: same prompts, model and machine, same output.

    python bench/bench_verification.py

The programs are from the zoo, depth 1 to 3, with a token limit of the reference trace plus 64. There are three groups:
programs that `pocket` traces correctly, four in five of them, and none. Both methods run alternately in this process on
one thread, and the ratio of their processor times is printed, one prompt at a time and in batches. The targets apply to
one at a time: 20 if all are correct, 4 if four in five are, and 1/1.1 if none is. In a batch, plain decoding shares its
overhead, so the ratio is smaller. With a large model on a GPU, which is limited by memory bandwidth, it should be
larger.
"""

from __future__ import annotations

import time
from typing import Any

from analyze import trace_call
from corpora import Case, load
from runner.asking.ask import Decode, ask
from runner.asking.drafts import trace_draft
from runner.asking.generation import Generation, Prompt
from runner.asking.prompts import prompt_ids
from runner.asking.request import GenerationRequest
from runner.backends import load_model

ROUNDS = 2
COUNT = 10
BATCHES = (1, 8)
TARGETS = {"all right": 20.0, "four in five right": 4.0, "all wrong": 1 / 1.1}


def request(case: Case, backend: Any) -> GenerationRequest:
    trace = trace_call(case.source, case.call, case.grading)
    prompt = Prompt(case.id, "original", tuple(prompt_ids(case, "bare", backend.tokenizer)))
    draft = trace_draft(trace, case.call, "bare", backend.tokenizer)
    return GenerationRequest(prompt, (trace.count_tokens(backend.tokenizer) or 0) + 64, draft)


def measure(backend: Any, cases: list[Case], batch: int, decode: Decode) -> tuple[float, list[Generation]]:
    """Processor seconds, and the answers in order."""
    requests = [request(case, backend) for case in cases]
    start = time.process_time()
    told = sorted(ask(backend, requests, batch, decode), key=lambda one: one.index)
    return time.process_time() - start, [one.generation for one in told]


def groups(backend: Any) -> dict[str, list[Case]]:
    """Prompts of similar length, grouped by the share that the model traces correctly."""
    cases = [case for depth in (1, 2, 3) for case in load("zoo", size=6, depth=depth, seed=1)]
    _, answers = measure(backend, cases, 16, "verified")
    right: list[Case] = []
    wrong: list[Case] = []
    for case, answer in zip(cases, answers, strict=True):
        trace = trace_call(case.source, case.call, case.grading)
        (right if answer.text == trace.text else wrong).append(case)
    print(f"pocket traces {len(right)} of {len(cases)} zoo programs of depth 1 to 3 right")
    mixed = right[: COUNT * 4 // 5] + wrong[: COUNT // 5]
    return {"all right": right[:COUNT], "four in five right": mixed, "all wrong": wrong[:COUNT]}


def main() -> int:
    backend: Any = load_model("pocket", device="cpu")
    failed = False
    for name, cases in groups(backend).items():
        for batch in BATCHES:
            times: dict[Decode, list[float]] = {"plain": [], "verified": []}
            answers: dict[Decode, list[Generation]] = {}
            for _ in range(ROUNDS):
                for decode, taken in times.items():
                    seconds, answers[decode] = measure(backend, cases, batch, decode)
                    taken.append(seconds)
            agree = [one.ids for one in answers["plain"]] == [one.ids for one in answers["verified"]]
            ratio = min(times["plain"]) / min(times["verified"])
            aim = f" (aim {TARGETS[name]:.2f})" if batch == 1 else ""
            missed = not agree or (batch == 1 and ratio < TARGETS[name])
            failed |= missed
            tokens = sum(len(answer.ids) for answer in answers["verified"])
            print(
                f"  {name:20} {len(cases)} samples, {tokens:5,} tokens, batch {batch}: "
                f"generate {min(times['plain']):6.2f} s / drafts {min(times['verified']):5.2f} s = {ratio:5.1f}{aim}"
                f"{'' if agree else '  OTHER TEXT'}{'  MISSED' if missed else ''}"
            )
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
