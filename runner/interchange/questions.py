"""Questions for other harnesses: the prompt of each case as text, and the grading of what a model wrote.

lm-evaluation-harness and inspect_ai ask and count; the prompts, the truth and the grading are those of `spellout run`
(`integrations/` has a task for each). A harness that takes special tokens for text, or drops them from answers, is read
all the same; but a program that holds the characters of one is then encoded as the token, which `run` never does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from analyze import diagnose, trace_call
from analyze.diagnosis.divergence import Diagnosis
from corpora import dependences
from runner.asking.generation import END_OF_ANSWER
from runner.asking.prompts import Form, form_for, prompt_text
from runner.runs.cases import load_cases

STOP = END_OF_ANSWER


def questions(name: str, limit: int | None = None, form: Form | None = None) -> Iterator[dict[str, Any]]:
    """A row a case of a benchmark or data set: the fields of `Case`, and `prompt`, special tokens spelled out.

    form: None for the paper's own of each case. Programs whose result is not theirs alone are left out. Raises
    InputError as `spellout run` does.
    """
    for case in load_cases(name, [], limit).cases:
        if not dependences(case.source, case.call):
            yield {**asdict(case), "prompt": prompt_text(case, form or form_for(case))}


def graded(row: Mapping[str, Any], output: str) -> Diagnosis:
    """What a model wrote about a row of `questions`, held against running the program. `.correct` is the verdict."""
    return diagnose(trace_call(row["source"], row["call"], row["grading"]), output)
