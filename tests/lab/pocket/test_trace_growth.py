"""Gains and losses by the growth of traces."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is missing (extra model)")

from lab.pocket.trace_growth import RewrittenPair, main, rows
from runner.statistics.paired import AnswerPair
from tests.places import ROOT

MEASURED = ROOT / "lab" / "pocket" / "measured" / "experiment.jsonl.gz"


def test_pairs_are_grouped_by_growth() -> None:
    grown = [RewrittenPair(number, AnswerPair(number < 4, number < 2, str(number))) for number in (5, 1, 3, 0, 4, 2)]
    assert [(row[0], row[1], *row[4:6]) for row in rows(grown)] == [
        ("×0.00 to 1.00", "2", "0", "0"),
        ("×2.00 to 3.00", "2", "0", "2"),
        ("×4.00 to 5.00", "2", "0", "0"),
    ]
    assert list(rows([])) == []


def test_the_published_answers_give_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(MEASURED)]) == 0
    header, _, *found = [line for line in capsys.readouterr().out.splitlines() if line]
    assert header.startswith("| trace after / before | pairs |") and len(found) == 3


def test_another_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "none")]) == 2
    assert "trace_growth: " in capsys.readouterr().err
