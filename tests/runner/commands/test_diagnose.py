"""`spellout diagnose` on small recorded outputs; bad rows are told and never stop it."""

import json
from collections import Counter
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from analyze import Diagnosis, Trace, default_tokenizer, diagnose, frames_to_ids, trace_call
from corpora import Case, load
from runner.asking.generation import Generation
from runner.cli import main
from runner.runs.grading import grade_trace
from runner.statistics.summary import summarize
from tests.runner.records.test_samples import SAMPLE

SOURCE = "def f(x):\n    y = x + 1\n    return y\n"
RIGHT = trace_call(SOURCE, "f(1)").text
WRONG = RIGHT.replace('"y": "2"', '"y": "3"').replace('"2"', '"3"')


def recorded(path: Path, *rows: object) -> str:
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return str(path)


def row(output: str, name: str = "a") -> dict[str, str]:
    return {"id": name, "code": SOURCE, "call": "f(1)", "output": output}


@pytest.mark.parametrize("option", [["--column", "output"], ["--column", "=x"]])
def test_a_mapping_that_is_none_is_refused(
    tmp_path: Path, option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diagnose", recorded(tmp_path / "o.jsonl", row("")), *option]) == 2
    assert "is not of the form FIELD=COLUMN" in capsys.readouterr().err


def test_rows_that_cannot_be_read_are_named_by_line_and_the_rest_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = recorded(tmp_path / "o.jsonl", "{", {"code": SOURCE}, {**row(""), "code": "def"}, row(RIGHT))
    assert main(["diagnose", path]) == 0
    captured = capsys.readouterr()
    assert all(f"o.jsonl:{line}: " in captured.err for line in (1, 2, 3))
    assert "3 rows could not be judged" in captured.err and "a: correct; no divergence in 7 frames" in captured.out


def test_an_output_of_a_program_that_depends_on_the_time_is_not_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    timed = {**row(RIGHT), "code": "import time\ndef f(x):\n    return time.time()"}
    assert main(["diagnose", recorded(tmp_path / "o.jsonl", timed, row(RIGHT, "b"))]) == 0
    captured = capsys.readouterr()
    assert "o.jsonl:1: has no unique reference trace: it depends on time" in captured.err
    assert "1 row could not be judged" in captured.err and "b: correct; no divergence" in captured.out


def test_a_row_that_breaks_the_diagnosis_is_named_and_the_rest_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(trace: Trace, output: str, **options: Any) -> Diagnosis:
        if output == "odd":
            raise RecursionError("too deep\nby far")
        return diagnose(trace, output, **options)

    monkeypatch.setattr("analyze.diagnosis.recorded_outputs.diagnose", breaks)
    assert main(["diagnose", recorded(tmp_path / "o.jsonl", row("odd"), row(RIGHT, "b"))]) == 2
    captured = capsys.readouterr()
    assert "o.jsonl:1: nested too deeply: RecursionError: too deep\\nby far" in captured.err
    assert "b: correct; no divergence" in captured.out


def test_the_first_wrong_frame_is_shown_with_both_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = recorded(tmp_path / "o.jsonl", row(RIGHT.replace('"y": "2"', '"y": "3"')))
    assert main(["diagnose", path]) == 0
    text = capsys.readouterr().out
    assert "state at frame 4" in text and '"y": "2"' in text and '"y": "3"' in text


def test_the_failing_operation_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = recorded(tmp_path / "o.jsonl", row(WRONG))
    assert main(["diagnose", path]) == 0
    assert "operation line 2, column 9: x + 1: reference 2, predicted 3" in capsys.readouterr().out
    assert main(["diagnose", path, "--json"]) == 0
    [one] = json.loads(capsys.readouterr().out)["failing_operations"]["operations"]
    assert (one["line"], one["column"], one["operation"]) == (2, 9, "x + 1")
    assert (one["reference"], one["predicted"], one["recorded"]["operands"]) == ("2", "3", ["1", "1"])


def test_a_true_trace_beyond_the_budget_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = recorded(tmp_path / "o.jsonl", row(RIGHT[:60]))
    assert main(["diagnose", path, "--budget", "10"]) == 0
    text = capsys.readouterr().out
    assert "a: no answer; cut off while right" in text and "the reference trace needs" in text


def test_json_is_one_object_a_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagnose", recorded(tmp_path / "o.jsonl", row(RIGHT), row("", "b")), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(found["id"], found["correct"]) for found in rows] == [("a", True), ("b", False)]


@pytest.mark.parametrize(
    ("rows", "options", "says"),
    [
        pytest.param(
            [row(RIGHT)], ["--column", "output=nosuch"], "none of its 1 rows", id="a column that is not there"
        ),
        pytest.param([{"code": SOURCE, "call": "f(1)"}], [], "has no output: no field 'output'", id="no output"),
        pytest.param(["{"], [], "not JSON", id="no rows of data"),
        pytest.param([], [], "contains no rows", id="an empty file"),
        pytest.param([row(RIGHT), "{"], ["--max-bad", "0"], "1 of 2 rows could not be read", id="one too many"),
    ],
)
def test_what_could_not_be_read_is_exit_2_and_no_table(
    rows: list[object], options: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diagnose", recorded(tmp_path / "o.jsonl", *rows), *options]) == 2
    captured = capsys.readouterr()
    assert "first divergence" not in captured.out and says in captured.err.splitlines()[-1]


@pytest.mark.parametrize(
    ("fields", "options", "said"),
    [
        ({"output": RIGHT}, [], None),
        ({"output": RIGHT, "expected": "2"}, [], "contradicts 0 of 1"),
        ({"output": RIGHT, "expected": "99"}, [], "o.jsonl:1: f(1) gives 2, the label says 99"),
        ({"output": "99", "completion": RIGHT}, ["--column", "output=completion"], "the label says 99"),
        (
            {"output": "7", "expected": "99", "completion": RIGHT},
            ["--column", "output=completion"],
            "the label says 99",
        ),
        (
            {"output": "99", "completion": RIGHT},
            ["--column", "output=completion", "--column", "expected=output"],
            "the label says 99",
        ),
    ],
)
def test_what_is_expected_is_told_from_the_output_by_name(
    fields: dict[str, str], options: list[str], said: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = recorded(tmp_path / "o.jsonl", {"id": "a", "code": SOURCE, "call": "f(1)", **fields})
    assert main(["diagnose", path, *options]) == 0
    captured = capsys.readouterr()
    assert "a: correct; no divergence" in captured.out
    assert said in captured.err if said else "label" not in captured.err


def test_outputs_that_are_no_traces_are_asked_about(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagnose", recorded(tmp_path / "o.jsonl", row("{'a': 1}"), row("{1}", "b"))]) == 0
    assert "with --column output=COLUMN" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rows", "options", "says"),
    [
        pytest.param(
            [{"task_id": "a", "completion": "return 1"}], [], "holds a program that a model wrote", id="programs"
        ),
        pytest.param(
            [{"id": "a", "output": "2"}], ["--benchmark", "BENCHMARK"], "no case has the id 'a'", id="unknown id"
        ),
        pytest.param([{"id": "a", "output": "2"}], [], "no field 'source' or 'code'", id="no program"),
    ],
)
def test_a_recorded_output_without_a_program_is_named(
    rows: list[object], options: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    benchmark = recorded(tmp_path / "b.jsonl", {"id": "b", "code": SOURCE, "input": "1", "output": "2"})
    asked = [benchmark if option == "BENCHMARK" else option for option in options]
    assert main(["diagnose", recorded(tmp_path / "o.jsonl", *rows), *asked]) == 2
    assert says in capsys.readouterr().err


def test_outputs_of_another_harness_are_matched_and_graded_by_value(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    benchmark = recorded(
        tmp_path / "b.jsonl", *({"id": f"sample_{n}", "code": SOURCE, "input": str(n), "output": "0"} for n in (1, 2))
    )
    path = tmp_path / "generations.json"
    path.write_text(json.dumps({"sample_1": ["2", "[ANSWER]2.0[/ANSWER]"], "sample_2": [RIGHT]}))
    assert main(["diagnose", str(path), "--benchmark", benchmark]) == 0
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    assert lines[:2] == [
        "sample_1: correct; no trace, read from whole output",
        "sample_1: incorrect; no trace, read from [ANSWER] block",
    ]
    assert lines[2:4] == ["    reference 2", "    predicted 2.0"] and lines[4].startswith(
        "sample_2: no answer; action at frame 1"
    )
    assert "correct by value, without a trace │ 1" in captured.out
    assert "2 outputs without a trace: graded by value" in captured.err


def test_a_json_object_is_no_state_that_was_cut_off(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = recorded(tmp_path / "o.jsonl", row('{"reasoning": "one more", "answer": "2"}'))
    assert main(["diagnose", path, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["kind"] == "no trace" and found["value"]["verdict"] == "correct" and not found["failing_operations"]


def test_ids_are_outputs_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ids = frames_to_ids(trace_call(SOURCE, "f(1)").frames, default_tokenizer())
    path = recorded(tmp_path / "o.jsonl", {**row(""), "output": list(ids)}, {**row(""), "output": [10**9]})
    assert main(["diagnose", path]) == 0
    captured = capsys.readouterr()
    assert (
        "a: correct; no divergence" in captured.out and "o.jsonl:2: its output has an unknown token id" in captured.err
    )


@pytest.mark.medium
def test_what_run_writes_is_diagnosed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    swap = next(load("permutations", n=3, length=2, size=1, seed=0))
    state = trace_call(swap.source, swap.call, "state").text
    cases = recorded(
        tmp_path / "c.jsonl",
        {"id": "a", "code": SOURCE, "call": "f(1)", "expected": "99"},
        {"id": "b", "code": SOURCE, "call": "f(2)"},
        {"id": "s", "source": swap.source, "call": swap.call, "expected": swap.expected, "grading": "state"},
    )
    outputs = recorded(tmp_path / "o.jsonl", {"id": "a", "output": RIGHT}, {"id": "s", "output": state})
    run = tmp_path / "run"
    assert main(["run", cases, "--model", f"replay:{outputs}", "--output", str(run)]) == 0
    for where in (run, run / "samples.jsonl"):
        capsys.readouterr()
        assert main(["diagnose", str(where)]) == 0
        captured = capsys.readouterr()
        assert (
            "a: correct; no divergence" in captured.out
            and "s: correct; no divergence" in captured.out
            and "b: " not in captured.out
        )
        assert "1 records have no output, because they were not asked" in captured.err
        assert "f(1) gives 2, the label says 99" in captured.err and "contradicts 1 of 2" in captured.err


@pytest.mark.medium
def test_the_report_and_diagnose_count_the_same_answers_as_truncated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An answer without a result that the model ended itself is wrong; the same text at the limit is truncated."""
    samples, tokenizer = [], default_tokenizer()
    for number, (text, stopped) in enumerate(product((RIGHT, WRONG, RIGHT[:150], "no trace"), ("end", "limit"))):
        source = SOURCE + f"# {number}\n"
        case, trace = Case(str(number), source, "f(1)", benchmark="b"), trace_call(source, "f(1)")
        found = grade_trace(trace, Generation((), text, stopped), tokenizer, "return")  # type: ignore[arg-type]
        names = {"id": case.id, "key": case.id, "case_key": case.id}
        fields = {**names, "source": source, "call": case.call, "output": text}
        samples.append(
            replace(SAMPLE, **fields, stopped=stopped, verdict=found.verdict, max_tokens=8192)  # type: ignore[arg-type]
        )
    (line,) = summarize(samples).rows
    assert (line.correct, line.incorrect, line.truncated) == (2, 4, 2)
    recorded(tmp_path / "samples.jsonl", *map(asdict, samples))
    assert main(["diagnose", str(tmp_path), "--summary", "--json"]) == 0
    counts: Counter[str] = Counter()
    for group in json.loads(capsys.readouterr().out)["taxonomy"]:
        counts[group["status"]] += sum(group["first_divergence"].values())
    assert counts == {"wrong": line.incorrect, "truncated": line.truncated}


def test_a_program_is_no_recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "program.py"
    program.write_text(SOURCE)
    for command in ("diagnose", "report"):
        assert main([command, str(program)]) == 2
        assert "program.py: is a program, not a recording" in capsys.readouterr().err


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagnose", str(tmp_path)]) == 2
    assert "not the folder of a run" in capsys.readouterr().err


def test_the_papers_analyses_follow_the_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = recorded(tmp_path / "o.jsonl", row(RIGHT), row(WRONG, "b"), row(RIGHT[:150], "c"))
    assert main(["diagnose", path, "--summary", "--catalogue"]) == 0
    text = capsys.readouterr().out
    assert "against all 3 of these outputs" in text and "truncated outputs" in text
    assert "int: copying and joining (1)" in text and "a: correct; no divergence" not in text


def test_no_column_is_empty_and_few_readable_answers_have_no_rates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diagnose", recorded(tmp_path / "o.jsonl", row("'no'"), row("'no'", "b")), "--summary"]) == 0
    text = capsys.readouterr().out
    assert "Failure %" in text and "Ratio" not in text and "—" not in text
    assert "return value" not in text  # no output is a trace
    unread = [row(f"no idea {name}, sorry", name) for name in "bc"]
    assert main(["diagnose", recorded(tmp_path / "u.jsonl", row("7"), *unread), "--summary"]) == 0
    captured = capsys.readouterr()
    assert "no rates: no answer could be read from 2 of 3 outputs" in captured.err and "%" not in captured.out


def test_a_benchmark_is_what_failures_are_held_against(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = recorded(tmp_path / "w.jsonl", *({**row(RIGHT), "output": shown} for shown in ("2", "'a'", "'b'", "'c'")))
    path = recorded(tmp_path / "o.jsonl", {**row(WRONG), "benchmark": "mine"})
    for given in (whole, f"mine={whole}"):
        assert main(["diagnose", path, "--summary", "--json", "--benchmark", given]) == 0
        found = json.loads(capsys.readouterr().out)["types"]["mine"]
        assert (found["samples"], found["wrong"]) == (4, 1)
        assert {line["type"]: line["ratio"] for line in found["rows"]} == {"str": None, "int": 4.0}
    assert main(["diagnose", path, "--benchmark", recorded(tmp_path / "n.jsonl", row(RIGHT) | {"output": ""})]) == 2


def test_without_a_failure_there_is_nothing_to_analyse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagnose", recorded(tmp_path / "o.jsonl", row(RIGHT))]) == 0
    assert "Ratio" not in capsys.readouterr().out


@pytest.mark.medium
def test_a_row_beyond_the_time_limit_is_not_diagnosed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    endless = {"id": "b", "code": "def f(x):\n    while x:\n        pass\n", "call": "f(1)", "output": ""}
    assert main(["diagnose", recorded(tmp_path / "o.jsonl", endless), "--seconds", "0.5"]) == 2
    assert "not diagnosed: its time limit of 0.5 s (--seconds) has passed" in capsys.readouterr().err


def test_predicted_lines_have_a_first_divergence_and_unread_ones_a_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = recorded(
        tmp_path / "o.jsonl",
        {**row("<ANSWER>[1, 2, 3]</ANSWER>"), "predicts": "lines"},
        {**row("[1, 3]", "b"), "predicts": "lines"},
        {**row("no idea", "c"), "predicts": "lines"},
    )
    assert main(["diagnose", path]) == 0
    captured = capsys.readouterr()
    assert "a: correct" in captured.out and "c: unread" in captured.out
    assert "first divergence: action at frame 3" in captured.out and "reference line 2: y = x + 1" in captured.out
    assert "its answer is no list of line numbers" in captured.out
    assert "1 of 2 read" in captured.out and "1 of them has no readable answer" in captured.err
    assert main(["debug", path, "--id", "a"]) == 2
    assert "predicts no trace" in capsys.readouterr().err
