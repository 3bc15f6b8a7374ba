"""HumanEval in EvalPlus' form: every problem once, and programs that pass HumanEval's own tests."""

import json
from itertools import islice
from pathlib import Path

import pytest

from corpora import run_call
from corpora.benchmarks import humaneval
from runner.cli import main


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """Problems with loops, nested functions, helpers before the function (38) and strings."""
    chosen = [problem for number, problem in enumerate(humaneval.problems()) if number in {0, 10, 38, 51, 65}]
    monkeypatch.setattr("runner.commands.export.problems", lambda: iter(chosen))
    return chosen


@pytest.mark.parametrize("recipe", ["decompose", pytest.param("placebo", marks=pytest.mark.exhaustive)])
def test_what_is_exported_passes_the_tests_of_its_problem(
    tmp_path: Path, few: list[dict[str, str]], recipe: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "samples.jsonl"
    assert main(["export", "--to", "evalplus", "--recipe", recipe, "--output", str(path)]) == 0
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [list(row) for row in rows] == [["task_id", "solution"]] * len(few)
    assert [row["task_id"] for row in rows] == [problem["task_id"] for problem in few]
    for row, problem in zip(rows, few, strict=True):
        outcome = run_call(row["solution"] + "\n" + problem["test"], f"check({problem['entry_point']})", seconds=30)
        assert outcome.status == "ok", (row["task_id"], outcome)
    changed = sum(row["solution"] != humaneval.program(one) + "\n" for row, one in zip(rows, few, strict=True))
    assert changed
    assert f"5 problems, {changed} rewritten by {recipe}" in capsys.readouterr().err


def test_there_are_164_problems_each_once() -> None:
    names = [problem["task_id"] for problem in humaneval.problems()]
    assert len(set(names)) == len(names) == 164 and list(islice(names, 2)) == ["HumanEval/0", "HumanEval/1"]


def test_a_place_that_cannot_be_written_is_one_line(
    tmp_path: Path, few: list[dict[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "--to", "evalplus", "--output", str(tmp_path / "no" / "file.jsonl")]) == 2
    assert "cannot be written" in capsys.readouterr().err.splitlines()[-1]
