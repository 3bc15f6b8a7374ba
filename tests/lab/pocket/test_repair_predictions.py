"""What the planner's numbers say about rewritten failures."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is missing (extra model)")

from analyze.gold_trace.trace import trace_call
from lab.pocket.repair_predictions import FILE, MeasuredRepair, level_rows, main, measured, read, rows, write
from rewrite.baselines import PLACEBO
from runner.records.samples import ORIGINAL, Sample

SOURCE = "def f(s):\n    return s.upper() + '!'\n"
REWRITTEN = "def f(s):\n    upper = s.upper()\n    return upper + '!'\n"
CALL = "f('ab')"


@pytest.fixture
def failure(answer: Sample) -> Sample:
    """A failure of `SOURCE`."""
    output = trace_call(SOURCE, CALL).text.replace("AB!", "AC!")
    failed = replace(answer, source=SOURCE, call=CALL, output=output, reference_tokens=100)
    return replace(failed, verdict="incorrect", attempt=ORIGINAL)


def _rewrite(failure: Sample, attempt: str, *, right: bool) -> Sample:
    verdict = "correct" if right else "incorrect"
    return replace(failure, attempt=attempt, source=REWRITTEN, verdict=verdict, reference_tokens=150)  # type: ignore[arg-type]


def test_a_failure_is_measured_with_each_rewrite(failure: Sample) -> None:
    (found,) = measured([failure, _rewrite(failure, "decompose", right=True)])
    assert (found.recipe, found.repaired, found.growth) == ("decompose", True, 1.5)
    assert found.level is not None and found.predicted is not None and found.predicted.repaired


def test_right_programs_and_the_placebo_are_not_measured(failure: Sample) -> None:
    right = replace(failure, verdict="correct")
    assert list(measured([right, _rewrite(failure, "decompose", right=True)])) == []
    assert list(measured([failure, _rewrite(failure, PLACEBO, right=True)])) == []


def test_what_ranks_repairs_is_above_one_half_and_what_is_constant_says_nothing() -> None:
    def repair(number: int) -> MeasuredRepair:
        right = number % 2 == 0
        return MeasuredRepair(str(number), "planned", right, None, 2 if right else 0, None)

    found = [repair(number) for number in range(20)]
    by_name = {row[0]: row[1:] for row in rows(found)}
    assert by_name["level of exposure"] == ("20", "1.00 [1.00, 1.00]")
    assert by_name["growth of the trace"] == by_name["chance of a repair"] == ("0", "—")
    assert list(level_rows(found)) == [("2", "10", "10 (100.0%)"), ("0", "10", "0 (0.0%)")]


def test_predictions_are_read_as_they_were_written(
    failure: Sample, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = list(measured([failure, _rewrite(failure, "repair", right=True)]))
    unknown = replace(found[0], program="b", predicted=None, level=None)
    write([*found, unknown], tmp_path / FILE)
    assert read(tmp_path / FILE) == [*found, unknown]
    assert main(["--predictions", str(tmp_path / FILE)]) == 0
    assert "| chance of a repair | 1 | — |" in capsys.readouterr().out


def test_without_a_folder_or_with_another_file_there_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([]) == 2 and "name the folder" in capsys.readouterr().err
    for content in (b"x", gzip.compress(b"{}\n")):
        (tmp_path / FILE).write_bytes(content)
        assert main(["--predictions", str(tmp_path / FILE)]) == 2
        assert "not a file of predictions" in capsys.readouterr().err
