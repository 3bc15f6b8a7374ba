"""Published answers: without texts, with all that a table needs."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from corpora.errors import InputError
from lab.pocket.answers import read_answers, write_answers
from runner.inputs.benchmarks import benchmark_cases
from runner.records.samples import Sample
from runner.runs.model_evaluation import evaluate
from runner.statistics.recipe_effects import recipe_effects
from runner.statistics.summary import summarize


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> list[Sample]:
    """Records of a run with a rewrite."""
    cases = benchmark_cases("humaneval", 3)
    outputs = tmp_path_factory.mktemp("answers") / "outputs.jsonl"
    outputs.write_text("".join(f'{{"id": "{case.id}", "output": "x"}}\n' for case in cases))
    return evaluate(f"replay:{outputs}", cases, full=True)


@pytest.mark.medium
def test_the_tables_are_the_same_and_no_text_is_left(answered: list[Sample], tmp_path: Path) -> None:
    write_answers({"humaneval": answered, "none": []}, tmp_path / "a.jsonl.gz")
    write_answers({"humaneval": answered, "none": []}, tmp_path / "b.jsonl.gz")
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()
    (found,) = read_answers(tmp_path / "a.jsonl.gz").values()
    assert summarize(found).rows == summarize(answered).rows
    assert recipe_effects(found) == recipe_effects(answered)
    assert [one.verdict for one in found] == [one.verdict for one in answered]
    text = gzip.decompress((tmp_path / "a.jsonl.gz").read_bytes()).decode()
    assert "def " not in text and answered[0].call not in text


@pytest.mark.medium
def test_records_that_were_read_are_written_as_they_are(answered: list[Sample], tmp_path: Path) -> None:
    write_answers({"humaneval": answered}, tmp_path / "a.jsonl.gz")
    write_answers(read_answers(tmp_path / "a.jsonl.gz"), tmp_path / "b.jsonl.gz")
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()


DAMAGED = gzip.compress(b"{}", mtime=0)[:10] + b"damaged"
COMPRESSED = [gzip.compress(text, mtime=0) for text in (b"x", b"{}", b"[]")]


@pytest.mark.parametrize("content", [None, b"x", DAMAGED, *COMPRESSED])
def test_another_file_is_refused(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl.gz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match="not a file of answers"):
        read_answers(path)
