"""`spellout diagnose` on small recorded outputs; bad rows are told and never stop it."""

import json
from pathlib import Path

import pytest

from analyze import trace_call
from runner.cli import main

SOURCE = "def f(x):\n    y = x + 1\n    return y\n"
RIGHT = trace_call(SOURCE, "f(1)").text


def recorded(path: Path, *rows: object) -> str:
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return str(path)


def row(output: str, name: str = "a") -> dict[str, str]:
    return {"id": name, "code": SOURCE, "call": "f(1)", "output": output}


@pytest.mark.parametrize("option", [["--map", "output"], ["--map", "=x"]])
def test_a_mapping_that_is_none_is_refused(
    tmp_path: Path, option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diagnose", recorded(tmp_path / "o.jsonl", row("")), *option]) == 2
    assert "is not FIELD=COLUMN" in capsys.readouterr().err


def test_rows_that_cannot_be_read_are_named_by_line_and_the_rest_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = recorded(tmp_path / "o.jsonl", "{", {"code": SOURCE}, {**row(""), "code": "def"}, row(RIGHT))
    assert main(["diagnose", path]) == 0
    captured = capsys.readouterr()
    assert all(f"o.jsonl:{line}: " in captured.err for line in (1, 2, 3))
    assert "3 rows could not be judged" in captured.err and "a: right; none" in captured.out


def test_an_output_of_a_program_that_depends_on_the_time_is_not_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    timed = {**row(RIGHT), "code": "import time\ndef f(x):\n    return time.time()"}
    assert main(["diagnose", recorded(tmp_path / "o.jsonl", timed, row(RIGHT, "b"))]) == 0
    captured = capsys.readouterr()
    assert "o.jsonl:1: there is no one true trace: depends on time" in captured.err
    assert "1 rows could not be judged" in captured.err and "b: right; none" in captured.out


def test_the_first_wrong_frame_is_shown_with_both_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = recorded(tmp_path / "o.jsonl", row(RIGHT.replace('"y": "2"', '"y": "3"')))
    assert main(["diagnose", path]) == 0
    text = capsys.readouterr().out
    assert "state at frame 4" in text and '"y": "2"' in text and '"y": "3"' in text


def test_a_true_trace_beyond_the_budget_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = recorded(tmp_path / "o.jsonl", row(RIGHT[:60]))
    assert main(["diagnose", path, "--budget", "10"]) == 0
    text = capsys.readouterr().out
    assert "a: no answer; cut off while right" in text and "the true trace needs" in text


def test_json_is_one_object_a_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagnose", recorded(tmp_path / "o.jsonl", row(RIGHT), row("", "b")), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(found["id"], found["correct"]) for found in rows] == [("a", True), ("b", False)]
