"""Results in Python: short forms, data frames, and tables in a notebook."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyze import assess, audit, diagnose, trace_call
from corpora.data_frames import MAX_SHOWN, data_frame, table_html
from corpora.errors import InputError
from rewrite import plan_rewrite
from runner import compare, read_run, report
from runner.cli import main
from runner.inputs.examples import FILES

SOURCE = "def f(s):\n    return s.strip().split('-')\n"
CALL = "f(' <b>-c ')"


TO = ("--recipe", "none", "--output")


@pytest.fixture(scope="module")
def results() -> list[Any]:
    trace = trace_call(SOURCE, CALL)
    return [trace, assess(SOURCE, CALL), diagnose(trace, trace.text), plan_rewrite(SOURCE, [CALL], examples=5)]


@pytest.mark.medium
def test_a_result_is_short_and_its_table_is_escaped(results: list[Any]) -> None:
    for result in results:
        page = result._repr_html_()
        assert "<table>" in page and "<b>" not in page
        assert len(repr(result)) < 400
    assert repr(results[0]) == "Trace(6 frames, ['<b>', 'c'])"


def test_a_table_says_that_there_is_more() -> None:
    assert "more" not in table_html(("n",), ([n] for n in range(MAX_SHOWN)))
    assert "… and more" in table_html(("n",), ([n] for n in range(MAX_SHOWN + 1)))


@pytest.mark.medium
def test_results_as_frames(results: list[Any]) -> None:
    pytest.importorskip("pandas")
    trace, assessment, _, plan = results
    assert list(trace.to_frame()["event"]) == [frame.event for frame in trace.frames]
    assert list(assessment.to_frame()["risk"]) == [step.risk for step in assessment.steps]
    assert list(plan.to_frame().columns) == ["line", "what", "tokens", "risk", "why", "repair", "siblings"]
    assert list(data_frame([], ["a"]).columns) == ["a"]


def test_without_pandas_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(InputError, match="pip install pandas"):
        data_frame([])


@pytest.mark.medium
def test_report_and_compare_are_what_the_command_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = []
    for name in ("outputs", "sampled"):
        model = f"replay:{FILES / name}.jsonl"
        runs.append(str(tmp_path / name))
        assert main(["run", str(FILES / "cases.jsonl"), "--model", model, *TO, runs[-1]]) == 0
    capsys.readouterr()
    assert main(["report", runs[0], "--against", runs[1], "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    against = printed.pop("against")
    assert json.loads(json.dumps(report(runs[0]).to_json())) == printed
    comparison = compare(runs[0], runs[1])
    assert [group["paired"]["gained"] for group in against["groups"]] == [g.paired.gained for g in comparison.groups]
    assert compare(read_run(runs[0]), read_run(runs[1])) == comparison
    assert "<table>" in comparison._repr_html_() and "1 gained, 0 lost" in str(comparison)
    assert repr(report(runs[0])).startswith("RunReport(16 records, ")
    assert "<table>" in report(runs[0])._repr_html_()
    with pytest.raises(InputError, match="no record"):
        report([])


def test_a_mapping_renames_columns_of_the_audit() -> None:
    found = audit([{"solution": "a = '12345'"}], mapping={"code": "solution"}, execute=False)
    assert [finding.hazard for finding in found] == ["DIGITS"]
