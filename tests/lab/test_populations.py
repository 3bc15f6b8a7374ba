"""The populations: each program has a call that can be run."""

from __future__ import annotations

import ast
import json
from itertools import islice
from pathlib import Path

import pytest

from analyze import trace_call
from corpora.benchmarks import humaneval
from lab.populations import FAILURES_FILE, POPULATIONS, diagnosed_failures, failed_programs, humaneval_programs
from tests.places import DATA


@pytest.mark.parametrize("name", POPULATIONS)
def test_programs_and_calls_parse(name: str) -> None:
    if name != "humaneval" and not DATA.is_dir():
        pytest.skip(f"{DATA} is missing")
    for one in islice(POPULATIONS[name](DATA), 20):
        ast.parse(one.source)
        ast.parse(one.call, mode="eval")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with three failures: cut off, wrong, and without a program."""
    source = "def f(x):\n    return x + 1"
    right = trace_call(source, "f(1)").text
    rows = [
        {"id": "a", "benchmark": "cruxeval", "status": "truncated", "code": source, "call": "f(1)", "output": right},
        {"id": "b", "benchmark": "humaneval", "status": "wrong", "code": source, "call": "f(1)", "output": "no trace"},
        {"id": "c", "benchmark": "cruxeval", "status": "truncated", "code": "def f(", "call": "f(1)", "output": ""},
    ]
    (tmp_path / FAILURES_FILE).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return tmp_path


def test_wrong_answers_are_the_failures_that_were_not_cut_off(data: Path) -> None:
    assert [one.id for one in failed_programs(data)] == ["a", "b", "c"]
    (wrong,) = failed_programs(data, truncated=False)
    assert (wrong.id, wrong.calls, wrong.benchmark, wrong.output) == ("b", ("f(1)",), "humaneval", "no trace")


def test_failures_are_diagnosed_if_their_program_runs(data: Path) -> None:
    found = {one.case.id: one for one in diagnosed_failures(data)}
    assert {name: one.diagnosis.correct for name, one in found.items()} == {"a": True, "b": False}
    assert found["a"].output == found["a"].trace.text


def test_all_calls_of_a_problem_are_there() -> None:
    assert [call for one in humaneval_programs() for call in one.calls] == [case.call for case in humaneval.cases()]
