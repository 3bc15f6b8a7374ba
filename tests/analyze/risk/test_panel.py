"""Panels: files that are none first."""

import json
from pathlib import Path

import pytest

from analyze.risk.panel import read_panel
from corpora.errors import InputError

ROW = {"run": "m@0.2", "id": "a", "right": [True, False], "predicted": ["(1, 2)", None], "prompt": "direct"}


def _file(folder: Path, *rows: object) -> Path:
    path = folder / "panel.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "no rows"),
        ([3], "not a JSON object"),
        ([{"run": "m", "id": "a"}], "it has no 'right'"),
        ([{**ROW, "right": []}], "not a list of true and false"),
        ([{**ROW, "right": [1, 0]}], "not a list of true and false"),
        ([ROW, ROW], "has a second row for a"),
    ],
)
def test_a_file_that_is_no_panel_is_refused(tmp_path: Path, rows: list[object], reason: str) -> None:
    with pytest.raises(InputError) as error:
        read_panel(_file(tmp_path, *rows))
    assert reason in str(error.value)


def test_a_right_answer_that_is_not_the_result_shows_another_program(tmp_path: Path) -> None:
    panel = read_panel(_file(tmp_path, ROW))
    assert not panel.contradicts("a", "(1,2)")  # the value counts, not how it is written
    assert not panel.contradicts("b", "3")
    assert panel.contradicts("a", "[1, 2]")
    assert panel.contradicts("a", None)
    bare = read_panel(_file(tmp_path, {**ROW, "predicted": ["lwwer case", None]}))
    assert not bare.contradicts("a", "'lwwer case  '")  # a string without its quotes
    assert bare.contradicts("a", "'lower case'")


def test_difficulty_is_the_mean_failure_rate_over_the_stronger_runs_of_other_models(tmp_path: Path) -> None:
    rights = {"weak": (False, False), "n": (True, False), "o": (True, True)}
    rows = [
        {"run": run, "id": name, "right": [right]}
        for run, found in rights.items()
        for name, right in zip("ab", found, strict=True)
    ]
    panel = read_panel(_file(tmp_path, *rows, {"run": "weak+cot@0.2", "id": "a", "right": [False, False]}))
    assert panel.difficulty == {"a": 0.0, "b": 0.5}
    assert panel.without(("o", "weak")).difficulty == {"a": 0.0, "b": 1.0}
    assert panel.rates("n", ["a", "b"]).tolist() == [0.0, 1.0]
