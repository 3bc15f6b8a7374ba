"""Questions and grading for other evaluation harnesses; `integrations/` has tasks that use them.

lm-evaluation-harness and inspect_ai ask the model; prompts, reference results and grading are those of `spellout run`.
Outputs without special tokens are graded too. One difference to `spellout run` remains: a harness encodes the prompt as
text, so a program with the characters of a special token is encoded with that token.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from analyze import diagnose, trace_call
from analyze.diagnosis.divergence import Diagnosis
from corpora import dependences
from runner.asking.generation import END_OF_ANSWER
from runner.asking.prompts import PromptFormat, default_format, prompt_text
from runner.runs.cases import load_cases

STOP = END_OF_ANSWER


def questions(name: str, limit: int | None = None, form: PromptFormat | None = None) -> Iterator[dict[str, Any]]:
    """One row per case of a benchmark or data set: the fields of `Case`, and `prompt` with special tokens as text.

    Nondeterministic programs are skipped.

    Args:
        name: a benchmark, or the value of a DATASET argument.
        limit: number of rows (default: all).
        form: prompt format (default: the paper's for each case).

    Raises:
        InputError: the data cannot be read.
    """
    for case in load_cases(name, [], limit).cases:
        if not dependences(case.source, case.call):
            yield {**asdict(case), "prompt": prompt_text(case, form or default_format(case))}


def grade(row: Mapping[str, Any], output: str) -> Diagnosis:
    """Grades an output for a row of `questions` against the reference trace. `.correct` is the verdict."""
    return diagnose(trace_call(row["source"], row["call"], row["grading"]), output)
