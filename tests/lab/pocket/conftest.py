"""A recorded answer, which tests copy with other fields."""

from __future__ import annotations

import pytest

from corpora import Case
from runner.backends import load_model
from runner.records.samples import Sample
from runner.runs.model_evaluation import evaluate


@pytest.fixture(scope="session")
def answer(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    """The wrong answer to a program without arguments."""
    file = tmp_path_factory.mktemp("answer") / "outputs.jsonl"
    file.write_text('{"id": "a", "output": "x"}\n')
    (found,) = evaluate(load_model(f"replay:{file}"), [Case("a", "def f():\n    return 1", "f()")], recipes=())
    return found
