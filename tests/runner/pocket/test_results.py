import json
from pathlib import Path

import pytest

pytest.importorskip("torch")

from runner.pocket.results import goals_table, main
from runner.statistics.summary import Table1Row

pytestmark = pytest.mark.model


def row(kind: str, correct: int, recovered: int = 0, samples: int = 30) -> Table1Row:
    wrong = samples - correct
    return Table1Row("pocket-goals", kind, samples, correct, wrong, 0, 0, recovered, recovered)


def test_the_table_says_which_goals_are_reached() -> None:
    lines = goals_table(
        [row("", 50, 4, 90), row("boolean", 24), row("S4", 26, 1), row("two functions", 0)]
    ).splitlines()
    assert lines[2:] == [
        "| boolean | 30 | 80% | 80 % (63–90) | — | yes |",
        "| S4 | 30 | 90% | 87 % (70–95) | 90 % (74–97) | no |",
        "| two functions | 30 |  | 0 % (0–11) | — |  |",
        "| **all** | 90 | | 56 % (45–65) | 60 % (50–70) | |",
    ]


def test_what_was_not_asked_is_in_no_share() -> None:
    part = Table1Row("pocket-goals", "boolean", 30, 10, 10, 0, 10, 0, 0)
    whole = Table1Row("pocket-goals", "", 30, 10, 10, 0, 10, 0, 0)
    assert "| boolean | 20 | 80% | 50 % (30–70) |" in goals_table([whole, part])


@pytest.mark.parametrize("content", [None, "", "{}\n", json.dumps({"a": 1}) + "\n"])
def test_a_folder_without_such_a_run_is_one_line(
    content: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if content is not None:
        (tmp_path / "samples.jsonl").write_text(content)
    assert main([str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("results: ") and error.count("\n") == 1
