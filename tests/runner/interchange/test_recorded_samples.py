"""Recorded outputs as graded samples: what cannot be graded first."""

import gzip
import json
from pathlib import Path

import pytest

from analyze import trace_call
from corpora import Case
from runner.interchange.recorded_samples import TRACE, read_recorded
from runner.runs.cases import load_cases
from tests.places import DATA

UPPER = "def f(s):\n    return s.upper()"
CASE = Case("a", UPPER, "f('x')", expected="'X'", benchmark="tests")


def _log(folder: Path, *rows: object) -> Path:
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        pytest.param({"id": "b", "output": "'X'"}, "no case has the id 'b'", id="unknown id"),
        pytest.param(
            {"id": "b", "code": "import random\ndef f(x): return random.random()", "input": "1", "output": "1"},
            "no case has its program and call",
            id="unknown program",
        ),
    ],
)
def test_what_fits_no_case_is_unmatched(tmp_path: Path, row: object, reason: str) -> None:
    run = read_recorded(_log(tmp_path, row), [CASE])
    assert not run.samples
    assert [reason in bad.reason for bad in run.unmatched] == [True]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import os\ndef f(x): return os.urandom(4)", "nondeterministic: its result depends on random"),
        ("def f(x): return missing(", "no reference trace"),
        ("def g(x): return x", "the program does not define f; it defines g"),
    ],
)
def test_a_program_without_a_reference_trace_is_unmatched(tmp_path: Path, source: str, reason: str) -> None:
    run = read_recorded(_log(tmp_path, {"id": "a", "code": source, "input": "1", "output": "1"}))
    assert not run.samples
    assert reason in run.unmatched[0].reason


def test_different_outputs_for_one_question_are_all_left_out(tmp_path: Path) -> None:
    rows = [{"id": "a", "output": "'X'"}, {"id": "a", "output": "'Y'"}]
    run = read_recorded(_log(tmp_path, *rows), [CASE])
    assert not run.samples
    assert [bad.where.rpartition(":")[2] for bad in run.unmatched] == ["1", "2"]
    assert "number them (answer_index)" in run.unmatched[1].reason


def test_equal_outputs_for_one_question_count_once(tmp_path: Path) -> None:
    run = read_recorded(_log(tmp_path, *[{"id": "a", "output": "'X'"}] * 3), [CASE])
    assert [sample.verdict for sample in run.samples] == ["correct"]
    assert not run.unmatched and run.repeated == 2


def test_values_are_graded_by_execution_whatever_the_label_says(tmp_path: Path) -> None:
    wrong_label = Case("a", UPPER, "f('x')", expected="'Y'", benchmark="tests")
    rows = [{"id": "a", "answer_index": n, "output": text} for n, text in enumerate(["'X'", "'Y'", "X", "?\n?"])]
    run = read_recorded(_log(tmp_path, *rows), [wrong_label])
    assert [sample.verdict for sample in run.samples] == ["correct", "incorrect", "correct", "not asked"]
    assert run.samples[3].reason == "no answer can be read from its output", "and it is in no rate"
    assert [sample.predicted for sample in run.samples] == ["'X'", "'Y'", "X", None]
    assert run.read_by == {"whole output": 3, "": 1}
    assert {sample.reference for sample in run.samples} == {"'X'"}


def test_the_name_of_the_exception_is_right_and_what_may_be_right_is_unread(tmp_path: Path) -> None:
    about = {"code": "def f(x):\n    return 4 / x", "input": "0"}
    said = ["Answer: ValueError", "Answer: 0", "ZeroDivisionError: division by zero", "Answer: 0 (or an error)"]
    rows = [{**about, "id": "a", "answer_index": n, "output": text} for n, text in enumerate(said)]
    run = read_recorded(_log(tmp_path, *rows))
    assert [sample.verdict for sample in run.samples] == ["incorrect", "incorrect", "correct", "not asked"]


@pytest.mark.parametrize(("stopped", "verdict"), [({}, "truncated"), ({"stopped": "end"}, "incorrect")])
def test_an_empty_output_is_truncated_unless_it_ended(tmp_path: Path, stopped: dict[str, str], verdict: str) -> None:
    run = read_recorded(_log(tmp_path, {"id": "a", "output": "", **stopped}), [CASE])
    assert [sample.verdict for sample in run.samples] == [verdict]
    assert run.read_by == {"": 1}


def test_a_value_that_could_begin_a_trace_is_graded_as_a_value(tmp_path: Path) -> None:
    run = read_recorded(_log(tmp_path, {"id": "a", "code": "def f(x): return {}", "input": "1", "output": "{}"}))
    assert [(sample.verdict, sample.predicted) for sample in run.samples] == [("correct", "{}")]


def test_a_trace_is_graded_and_diagnosed(tmp_path: Path) -> None:
    text = trace_call(UPPER, "f('x')").text
    rows = [{"id": 1, "code": UPPER, "call": "f('x')", "output": text}]
    rows.append({"id": 2, "code": UPPER, "call": "f('y')", "output": text, "stopped": "end"})
    right, wrong = read_recorded(_log(tmp_path, *rows)).samples
    assert (right.verdict, right.diagnosis and right.diagnosis.kind) == ("correct", "none")
    assert wrong.verdict == "incorrect"
    assert wrong.diagnosis
    assert wrong.diagnosis.kind != "none"
    assert read_recorded(_log(tmp_path, *rows)).read_by == {TRACE: 2}


def test_files_of_two_harnesses_share_the_keys_of_their_cases(tmp_path: Path) -> None:
    [one] = read_recorded(_log(tmp_path, {"id": 1, "code": UPPER, "call": "f('x')", "output": "'X'"})).samples
    [other] = read_recorded(_log(tmp_path, {"id": "a", "output": "'Y'"}), [CASE]).samples
    assert one.pairing_key == other.pairing_key


@pytest.mark.slow
def test_verdicts_agree_with_those_of_a_published_run(tmp_path: Path) -> None:
    if not DATA.is_dir():
        pytest.skip("the recorded runs are not here (docs/published_data.md)")
    with gzip.open(DATA / "panel_even.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [row for row in map(json.loads, file) if row["run"] == "gpt-4-turbo-2024-04-09@0.2"]
    path = tmp_path / "generations.json"
    path.write_text(
        json.dumps({row["id"]: [text or "" for text in row["predicted"]] for row in rows}), encoding="utf-8"
    )
    run = read_recorded(path, load_cases(str(DATA / "cruxeval_even.jsonl"), [], None).cases)
    judged = {(sample.id, sample.answer_index): sample.verdict == "correct" for sample in run.samples}
    assert judged == {(row["id"], index): right for row in rows for index, right in enumerate(row["right"])}
    assert len(judged) == 1200


def test_predicted_steps_are_graded_and_an_unread_one_is_in_no_rate(tmp_path: Path) -> None:
    about = {"code": UPPER, "call": "f('x')", "predicts": "lines"}
    rows = [{**about, "id": "a", "answer_index": n, "output": text} for n, text in enumerate(["[1, 2]", "[1]", "?"])]
    run = read_recorded(_log(tmp_path, *rows))
    assert [sample.verdict for sample in run.samples] == ["correct", "incorrect", "not asked"]
    assert [sample.diagnosis and sample.diagnosis.kind for sample in run.samples] == ["none", "event", None]
    assert run.samples[2].reason == "no answer can be read from its output: its answer is no list of line numbers"
    assert run.read_by == {"lines": 2, "": 1}
