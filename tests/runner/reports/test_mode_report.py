"""Modes in reports and folders: counted by hand, and a run belongs to one of them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from analyze import diagnose, trace_call
from runner.cli import main
from runner.records.samples import HallucinatedAction, Predictions, read_samples
from runner.reports.mode_report import action_section, mode_remarks
from runner.statistics.intervals import accuracy_interval
from runner.statistics.mode_counts import PredictionAccuracy, count_hallucinated_actions, prediction_accuracies
from tests.models import SMALL_TRACER
from tests.runner.records.test_samples import SAMPLE

PROGRAM = "def f(a):\n    if a > 1:\n        a = 0\n    return a\n"
MINE = HallucinatedAction(4, "line: return b", "line: c = 1", after_wrong_state=False, in_program=False)
LATER = HallucinatedAction(2, "line: x", "line: y", after_wrong_state=True, in_program=True)
FREE = [replace(SAMPLE, id="a", action=LATER), replace(SAMPLE, id="b", action=MINE), replace(SAMPLE, id="c")]


def said(change: str, to: str) -> object:
    """The first wrong action of an output that is the true trace with something exchanged."""
    trace = trace_call(PROGRAM, "f(5)")
    assert change in trace.text
    return diagnose(trace, trace.text.replace(change, to, 1)).action


@pytest.mark.parametrize(
    ("change", "to", "after", "inside"),
    [
        pytest.param("    if a > 1:", "    if a > 2:", False, False, id="a line that there is not"),
        pytest.param("        a = 0", "    return a", False, True, id="a line of the program at the wrong time"),
    ],
)
def test_the_first_wrong_action_is_found(change: str, to: str, after: bool, inside: bool) -> None:
    found = said(change, to)
    assert found and (found.after_wrong_state, found.in_program) == (after, inside)  # type: ignore[attr-defined]


def test_an_action_behind_a_wrong_state_may_follow_from_it() -> None:
    trace = trace_call(PROGRAM, "f(5)")
    text = trace.text.replace('"a": ".."', '"a": "0"', 1).replace("        a = 0", "    return a", 1)
    found = diagnose(trace, text).action
    assert found and found.after_wrong_state and found.in_program


def test_a_right_trace_and_one_that_is_only_cut_off_have_no_wrong_action() -> None:
    trace = trace_call(PROGRAM, "f(5)")
    assert diagnose(trace, trace.text).action is None and diagnose(trace, trace.text[:90]).action is None
    assert said('"a": "5"', '"a": "6"') is None, "a wrong state alone"


def test_hallucinated_actions_are_counted_and_one_is_shown() -> None:
    counted = count_hallucinated_actions([*FREE, replace(SAMPLE, attempt="decompose", action=MINE)])
    assert counted is not None
    assert (counted.answers, counted.hallucinated, counted.unprompted, counted.foreign) == (3, 2, 1, 1)
    page = "\n".join(action_section(FREE))
    assert "hallucinated  line: c = 1" in page and "all states before it are correct" in page
    assert "line: c = 1 (reference: line: return b)" in " ".join(mode_remarks(FREE))
    assert list(action_section([replace(SAMPLE, mode="forced-actions")])) == []


def test_single_predictions_are_added_up_over_traces() -> None:
    one = Predictions((2, 2), (1, 4), (0, 0), (1, 1), ((1, "state"),))
    sample = replace(SAMPLE, mode="forced", predictions=one)
    samples = [sample, replace(sample, id="b")]
    assert prediction_accuracies(samples)[:2] == (
        PredictionAccuracy("event", 4, 4, 1),
        PredictionAccuracy("state", 2, 8, 1),
    )
    told = " ".join(mode_remarks(samples))
    assert (
        "states 25.0% of 8 (too few programs)" in told
        and "actions" not in told.partition("Accuracy of single predictions")[2]
    )
    many = [replace(sample, source=f"program {number}") for number in range(12)]
    low, high = accuracy_interval([1] * 12, [4] * 12) or (0, 0)
    assert prediction_accuracies(many)[1] == PredictionAccuracy("state", 12, 48, 12, (100 * low, 100 * high))
    assert count_hallucinated_actions(samples) is None


@pytest.mark.medium
@pytest.mark.model
def test_a_folder_belongs_to_one_mode_and_records_are_read_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    jsonschema = pytest.importorskip("jsonschema")
    from runner.records.samples import schema

    words = ["run", "zoo", "--model", str(SMALL_TRACER), "--limit", "1", "--recipe", "none", "--max-tokens", "150"]
    for mode in ("free", "forced-actions", "forced"):
        out = tmp_path / mode
        assert main([*words, "--mode", mode, "--output", str(out)]) == 0
        samples = read_samples(out / "samples.jsonl")
        assert {sample.mode for sample in samples} == {mode}
        assert all((sample.predictions is not None) == (mode == "forced") for sample in samples)
        for line in (out / "samples.jsonl").read_text().splitlines():
            jsonschema.validate(json.loads(line), schema())
    assert json.loads((tmp_path / "forced" / "summary.json").read_text())["predictions"]
    capsys.readouterr()
    assert main([*words, "--mode", "forced", "--output", str(tmp_path / "free")]) == 2
    assert "--mode free, not forced" in capsys.readouterr().err
    assert main(["report", str(tmp_path / "forced-actions"), "--against", str(tmp_path / "free")]) == 0
    shown = capsys.readouterr().out
    assert f"{SMALL_TRACER}, forced actions" in shown and "--mode: free, here forced-actions" in shown


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--mode", "forced-actions"], "a recording has only complete answers"),
        (["--mode", "forced", "--stop-at-divergence"], "does not apply to --mode forced"),
    ],
)
def test_a_mode_that_cannot_be_had_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], reason: str
) -> None:
    outputs = tmp_path / "outputs.jsonl"
    outputs.write_text(json.dumps({"id": "a", "code": PROGRAM, "input": "1", "output": "x"}) + "\n")
    assert main(["run", str(outputs), "--model", f"replay:{outputs}", "--output", str(tmp_path / "o"), *options]) == 2
    assert reason in capsys.readouterr().err
