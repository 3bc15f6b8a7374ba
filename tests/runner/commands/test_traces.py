"""`spellout traces`: what it prints, what it refuses, and its exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runner.cli import main

pytest.importorskip("pyarrow", reason="the extra `datasets` is not installed")
pytest.importorskip("datasketch", reason="the extra `traces` is not installed")

ROW = {"id": "a", "code": "def f(x):\n    return x + 1", "input": "1"}


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(ROW) + "\n" + json.dumps({**ROW, "code": "def f(x"}) + "\n")
    return file


@pytest.mark.parametrize(
    ("options", "says"),
    [
        pytest.param(["--stratify", "risk"], "--stratify: needs --per-stratum", id="strata without a number"),
        pytest.param(["--per-stratum", "3"], "--per-stratum: needs --stratify", id="a number without strata"),
        pytest.param(["--recipe", "decompos"], "did you mean 'decompose'?", id="no such recipe"),
        pytest.param(["--tokenizer", "{tmp}/none.json"], "no tokenizer found", id="no such tokenizer"),
        pytest.param(["--decontaminate", "{tmp}/none.jsonl"], "none.jsonl: no such file", id="no such benchmark"),
        pytest.param(["--max-bad", "0"], "1 of 2 rows could not be read, more than --max-bad 0", id="bad rows"),
        pytest.param(["--column", "code"], "is not of the form FIELD=COLUMN", id="a column"),
    ],
)
def test_wrong_use_is_one_line(
    options: list[str], says: str, rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [option.format(tmp=tmp_path) for option in options]
    assert main(["traces", str(rows), "--output", str(tmp_path / "out"), "--jobs", "1", *given]) == 2
    assert says in capsys.readouterr().err.splitlines()[-1]


def test_a_source_that_is_not_there_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["traces", str(tmp_path / "none.jsonl"), "--output", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err.endswith("none.jsonl: no such file\n")
    assert not (tmp_path / "out").exists()


def test_it_prints_what_is_in_the_data_set_and_what_is_not(
    rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["traces", str(rows), "--output", str(tmp_path / "out"), "--jobs", "1"]
    assert main(command) == 0
    printed = capsys.readouterr()
    assert printed.out == f"1 rows (1 train, 0 validation), 79 tokens, from 2 rows: {tmp_path / 'out'}\n"
    assert "1 row dropped: unreadable" in printed.err and "dropped.jsonl lists every dropped row" in printed.err
    assert main([*command, "--format", "qa"]) == 2
    assert 'format was "cwm", is now "qa"' in capsys.readouterr().err
