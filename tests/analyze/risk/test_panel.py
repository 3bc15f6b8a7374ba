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


def test_a_panel_of_other_programs_is_refused(tmp_path: Path) -> None:
    panel = read_panel(_file(tmp_path, ROW))
    panel.check({"a": "(1,2)"})  # the value counts, not how it is written
    with pytest.raises(InputError, match="another version of the benchmark"):
        panel.check({"a": "[1, 2]"})
    with pytest.raises(InputError, match="no row for 'b'"):
        panel.check({"b": "(1, 2)"})


def test_difficulty_is_the_mean_failure_rate_over_runs_of_other_models(tmp_path: Path) -> None:
    other = {"run": "n", "id": "a", "right": [True]}
    panel = read_panel(_file(tmp_path, ROW, other, {"run": "n", "id": "b", "right": [False]}))
    assert panel.difficulty == {"a": 0.25, "b": 1.0}
    assert panel.difficulty_without("m") == {"a": 0.0, "b": 1.0}
    assert panel.rates("m@0.2", ["a", "b"]).tolist()[0] == 0.5
