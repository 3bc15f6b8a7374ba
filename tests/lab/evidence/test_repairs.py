"""Predicted repairs against made-up failures: rows that do not count first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyze import trace_call
from corpora import read_rows
from lab.evidence.repairs import PREDICTIONS, main, predict_repairs, table
from tests.rewrite.planner.test_repair import CALL, NAMED, SOURCE

OUTPUT = trace_call(SOURCE, CALL).text.replace("'C D!'", "'c d!'")


def row(**fields: object) -> dict[str, object]:
    given = {"id": "a", "code": SOURCE, "call": CALL, "output": OUTPUT, "status": "wrong", "recovered_by": None}
    return {**given, "paper_rewrite": NAMED, **fields}


@pytest.mark.usefixtures("short_endless_loops")
@pytest.mark.parametrize(
    "fields",
    [
        {"status": "truncated"},
        {"paper_rewrite": SOURCE + "\n# the same"},
        {"paper_rewrite": None},
        {"paper_rewrite": "def f(text, sep):\n    while True: pass"},
        {"output": trace_call(SOURCE, CALL).text},
    ],
)
def test_what_is_no_rewritten_failure_is_left_out(fields: dict[str, object]) -> None:
    assert predict_repairs(read_rows([row(**fields)]), {}) == []


@pytest.mark.medium
def test_temporaries_for_the_wrong_expression_are_expected_to_repair_it() -> None:
    elsewhere = SOURCE.replace("    return", "    width = len(sep)\n    return")
    named, other = predict_repairs(read_rows([row(recovered_by="expression"), row(paper_rewrite=elsewhere)]), {})
    assert named.repaired and not other.repaired
    assert named.there > 0.5 > other.there
    assert named.anywhere > other.anywhere
    rows = table([named, other] * 3)
    assert [name for name, *_ in rows] == list(PREDICTIONS)
    assert rows[0][2].startswith("1.00 ")


def test_failures_of_one_kind_show_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "failures.jsonl"
    file.write_text(json.dumps(row()))
    assert main([str(file), "--data", str(tmp_path)]) == 2
    assert "\n" not in capsys.readouterr().err.strip()
