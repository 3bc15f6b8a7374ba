"""Recorded outputs of other harnesses: broken files first."""

import json
from pathlib import Path

import pytest

from analyze.diagnosis.answer_comparison import same_value
from analyze.diagnosis.direct_values import read_value
from analyze.gold_trace.trace import trace_call
from corpora.errors import InputError
from corpora.outputs.reading import FORMATS, read_outputs
from corpora.rows import BadRow, Row

CODE = "def f(s):\n    return s.upper()"
LM_EVAL = {
    "doc_id": 7,
    "doc": {"id": "sample_4", "code": CODE, "input": "'a'"},
    "target": "'A'",
    "arguments": {"gen_args_0": {"arg_0": f"{CODE}\nf('a')", "arg_1": {"until": []}}},
    "resps": [["'A'", "'B'"]],
    "filtered_resps": ["'A'"],
    "filter": "none",
}
ZERO_EVAL = {
    "session_id": "crux-4",
    "chat_history": ["what is", "f('a')"],
    "output": ["'A'"],
    "generator": "some-model",
}
EVERY = {
    "evaluation_id": "crux/some-model",
    "sample_id": "sample_4",
    "model_id": "some-model",
    "input": {"raw": "f('a')"},
    "output": {"raw": ["'A'"]},
}
PLAIN = {"id": "sample_4", "output": "'A'", "code": CODE, "input": "'a'", "note": 1}


def _file(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def _lines(folder: Path, *records: object) -> Path:
    return _file(folder, "log.jsonl", "".join(json.dumps(record) + "\n" for record in records))


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        pytest.param("no.json", None, "no such file", id="missing"),
        pytest.param("a.json", "{", "is not JSON", id="broken JSON"),
        pytest.param("a.json", "[" * 100_000, "is not JSON", id="nested without end"),
        pytest.param("a.json", "3", "is JSON, but int", id="a number"),
        pytest.param("a.json", '{"model": "x", "scores": [1]}', "no known format", id="another object"),
        pytest.param("a.json", "[1, 2]", "no record can be read (not a JSON object but int)", id="a list of numbers"),
        pytest.param("a.json", "[]", "is empty", id="an empty list"),
        pytest.param("a.jsonl", "not JSON\n", "no record can be read (not JSON", id="no JSON lines"),
        pytest.param("a.jsonl", '{"idx": 1, "score": 2}\n', "its first record has idx, score", id="no outputs"),
        pytest.param("a.eval", "no log", "", id="no log of inspect_ai"),
    ],
)
def test_a_file_without_outputs_is_refused_with_the_reason(
    tmp_path: Path, name: str, content: str | None, reason: str
) -> None:
    path = tmp_path / name if content is None else _file(tmp_path, name, content)
    with pytest.raises(InputError) as error:
        list(read_outputs(path).rows)
    assert reason in str(error.value)
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        pytest.param({**LM_EVAL, "doc": None}, "its 'doc' is not an object", id="no document"),
        pytest.param({**LM_EVAL, "resps": [[["-1.5", "False"]]]}, "not a string", id="log-likelihoods"),
        pytest.param({**LM_EVAL, "resps": [["a"], ["b"]]}, "no single generation request", id="multiple choice"),
        pytest.param({**LM_EVAL, "resps": [[]]}, "has no output", id="no response"),
        pytest.param({**LM_EVAL, "resps": [[float("nan")]]}, "not a string", id="NaN"),
        pytest.param({**ZERO_EVAL, "output": None}, "neither a string nor a list", id="ZeroEval, null"),
        pytest.param({**EVERY, "output": None}, "has no output.raw", id="every_eval_ever, null"),
        pytest.param({"task_id": "HumanEval/0", "solution": CODE}, "holds a program that a model wrote", id="EvalPlus"),
        pytest.param({"id": 1, "output": None}, "has no string in 'output'", id="null"),
        pytest.param({"output": "1"}, "neither an id nor a program", id="nothing to match by"),
    ],
)
def test_a_record_without_an_output_is_a_bad_row(tmp_path: Path, record: object, reason: str) -> None:
    [row] = read_outputs(_lines(tmp_path, record)).rows
    assert isinstance(row, BadRow)
    assert reason in row.reason


@pytest.mark.parametrize("number", ["x", "1.5", 1.5, True, -0.5])
def test_a_number_of_an_answer_that_is_no_integer_makes_a_bad_row(tmp_path: Path, number: object) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps(PLAIN | {"answer_index": number}))
    [row] = read_outputs(path).rows
    assert isinstance(row, BadRow) and row.reason == "has an answer_index that is not an integer"


def test_numbers_of_answers_are_read_from_csv(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("id,output,answer_index\na,1,0\na,2,1\nb,3,\nb,3,2.0\n")
    rows = read_outputs(path).rows
    assert [row.fields["answer_index"] if isinstance(row, Row) else row.reason for row in rows] == [0, 1, None, 2]


def test_a_record_of_another_format_than_the_first_is_a_bad_row(tmp_path: Path) -> None:
    _, other, broken, again = read_outputs(_lines(tmp_path, PLAIN, {"sample": 1}, 3, PLAIN)).rows
    assert isinstance(other, BadRow)
    assert other.reason == "is no record of rows, unlike the first"
    assert isinstance(broken, BadRow)
    assert isinstance(again, Row)


def test_lm_eval_names_a_sample_by_its_document_and_numbers_its_responses(tmp_path: Path) -> None:
    found = read_outputs(_lines(tmp_path, LM_EVAL))
    rows = [row.fields for row in found.rows if isinstance(row, Row)]
    assert found.format == "lm-evaluation-harness"
    assert [(row["id"], row["output"], row["answer_index"]) for row in rows] == [
        ("sample_4", "'A'", 0),
        ("sample_4", "'B'", 1),
    ]
    assert (rows[0]["source"], rows[0]["call"], rows[0]["prompt"]) == (CODE, "f('a')", f"{CODE}\nf('a')")


def test_zero_eval_and_every_eval_ever_say_the_model(tmp_path: Path) -> None:
    for record, name in ((ZERO_EVAL, "crux-4"), (EVERY, "sample_4")):
        path = _file(tmp_path, "results.json", json.dumps([record]))
        [row] = read_outputs(path).rows
        assert isinstance(row, Row)
        assert (row.fields["id"], row.fields["output"], row.fields["model"]) == (name, "'A'", "some-model")
        assert "f('a')" in str(row.fields["prompt"])


def test_generations_of_cruxeval_are_named_by_their_keys(tmp_path: Path) -> None:
    path = _file(tmp_path, "generations.json", json.dumps({"sample_0": ["1", "2"], "sample_2": ["3"], "sample_4": "4"}))
    found = read_outputs(path)
    rows = list(found.rows)
    assert found.format == "CruxEval generations"
    good = [row.fields for row in rows if isinstance(row, Row)]
    assert [(row["id"], row["output"], row.get("answer_index")) for row in good] == [
        ("sample_0", "1", 0),
        ("sample_0", "2", 1),
        ("sample_2", "3", None),
    ]
    assert [row.reason for row in rows if isinstance(row, BadRow)] == ["is not a list of generations"]


def test_json_lines_may_be_called_json(tmp_path: Path) -> None:
    for lines in (1, 2):
        path = _file(tmp_path, "outputs.json", (json.dumps(PLAIN) + "\n") * lines)
        assert [row.fields["note"] for row in read_outputs(path).rows if isinstance(row, Row)] == [1] * lines


def test_every_format_has_its_own_name() -> None:
    assert len({known.name for known in FORMATS}) == len(FORMATS)


STATE_LENS = {"task_id": "sample_4", "code": CODE, "function_call": "f('a')", "expected_output": "'A'"}
FORM = {"id": "s", "form": "ren", "model": "m", "code": "def f(a: List[int]): return a", "call": "f(1)", "output": "1"}


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        pytest.param({**STATE_LENS, "responses": []}, "has no output", id="no responses"),
        pytest.param({**STATE_LENS, "responses": [1]}, "has an output that is not a string", id="a number"),
        pytest.param({**STATE_LENS, "response": None}, "has an output that is not a string", id="null"),
        pytest.param(
            {**STATE_LENS, "code": 5, "response": "x"}, "its program or call is not a string", id="no program"
        ),
    ],
)
def test_a_record_of_state_lens_without_an_output_is_bad(tmp_path: Path, record: object, reason: str) -> None:
    good = {**STATE_LENS, "response": "<output>'A'</output>"}
    outputs = read_outputs(_lines(tmp_path, good, record))
    assert outputs.format == "StateLens"
    first, bad = outputs.rows
    assert isinstance(first, Row) and first.fields["call"] == "f('a')" and first.fields["expected"] == "'A'"
    assert isinstance(bad, BadRow) and reason in bad.reason


def test_several_responses_are_several_answers_and_the_label_is_no_output(tmp_path: Path) -> None:
    rows = list(read_outputs(_lines(tmp_path, {**STATE_LENS, "responses": ["x", "y"]})).rows)
    assert [(row.fields["output"], row.fields["answer_index"]) for row in rows if isinstance(row, Row)] == [
        ("x", 0),
        ("y", 1),
    ]
    (row,) = read_outputs(_lines(tmp_path, {**FORM, "response": "<answer> f(1) == 2 </answer>"})).rows
    assert isinstance(row, Row) and row.fields["output"] == "<answer> f(1) == 2 </answer>"
    assert (row.fields["expected"], row.fields["model"], row.fields["kind"]) == ("1", "m", "ren")
    assert str(row.fields["source"]).endswith(FORM["code"]) and "from typing import *" in str(row.fields["source"])


INPUTS = {
    "doc_id": 0,
    "doc": {"id": "sample_0", "code": "def f(a):\n    return len(a)", "input": "'ab'", "output": "2"},
    "target": "'ab'",
}


def test_a_predicted_input_is_a_claim_about_its_own_call(tmp_path: Path) -> None:
    responses = ["[ANSWER] f('xy') == 2 [/ANSWER]", "[ANSWER]\nassert f('x') == 2\n[/ANSWER]", "'cd'"]
    rows = [
        row for row in read_outputs(_lines(tmp_path, {**INPUTS, "resps": [responses]})).rows if isinstance(row, Row)
    ]
    assert [row.fields["call"] for row in rows] == ["f('xy')", "f('x')", "f('cd')"]
    outcomes = []
    for row in rows:
        trace = trace_call(str(row.fields["source"]), str(row.fields["call"]))
        claimed = read_value(str(row.fields["output"]))
        outcomes.append(claimed is not None and same_value(trace.outcome.value or "", claimed.text))
    assert outcomes == [True, False, True] and {row.fields["id"] for row in rows} == {"sample_0 (input)"}


@pytest.mark.parametrize(
    "response", ["", "I do not know.", "unknown", "[ANSWER] f( [/ANSWER]", "<think>f('xy') == 2</think>"]
)
def test_a_predicted_input_that_cannot_be_read_is_no_answer(tmp_path: Path, response: str) -> None:
    good = "f('xy') == 2"
    row, bad = read_outputs(_lines(tmp_path, {**INPUTS, "resps": [[response, good]]})).rows
    assert isinstance(row, Row) and row.fields["call"] == "f('xy')"
    assert isinstance(bad, BadRow) and bad.reason.endswith("cannot be read (responses: 1)")


def test_a_predicted_input_without_its_program_is_bad(tmp_path: Path) -> None:
    record = {**INPUTS, "doc": {"input": "1", "output": "2"}, "target": "1", "resps": [["f(1) == 2"]]}
    (bad,) = read_outputs(_lines(tmp_path, record)).rows
    assert isinstance(bad, BadRow) and "no program or output" in bad.reason


ANSWERED = {"id": "a", "code": CODE, "call": "f('a')"}
RE2 = {**ANSWERED, "task": "loop prediction"}
MIND = {**ANSWERED, "task": "IER"}
COCONUT = {**ANSWERED, "trace": [1, 2]}


@pytest.mark.parametrize("good", [RE2, MIND, COCONUT], ids=["RE2-Bench", "CodeMind", "CoCoNUT"])
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"response": None}, "has an output that is not a string"),
        ({"responses": []}, "has no output"),
        ({"response": "x", "call": 1}, "its program or call is not a string"),
        ({"response": "x", "code": None}, "its program or call is not a string"),
        ({"note": "x"}, "is no record of"),
    ],
)
def test_a_malformed_record_of_a_reasoning_benchmark_is_a_bad_row(
    tmp_path: Path, good: dict[str, object], change: dict[str, object], reason: str
) -> None:
    first, bad = read_outputs(_lines(tmp_path, {**good, "response": "x"}, {**good, **change})).rows
    assert isinstance(first, Row)
    assert isinstance(bad, BadRow) and reason in bad.reason


@pytest.mark.parametrize(
    ("record", "name", "predicts"),
    [
        (RE2, "RE2-Bench", "states"),
        ({**RE2, "task": "output_prediction"}, "RE2-Bench", None),
        (MIND, "CodeMind", None),
        (COCONUT, "CoCoNUT", "lines"),
    ],
)
def test_the_task_says_what_an_output_predicts(
    tmp_path: Path, record: dict[str, object], name: str, predicts: str | None
) -> None:
    found = read_outputs(_lines(tmp_path, {**record, "responses": ["x", "y"]}))
    rows = [row.fields for row in found.rows if isinstance(row, Row)]
    assert found.format == name
    assert [(row["output"], row["answer_index"], row.get("predicts")) for row in rows] == [
        ("x", 0, predicts),
        ("y", 1, predicts),
    ]


@pytest.mark.parametrize("record", [{**RE2, "task": "branch prediction"}, {**MIND, "task": "DER"}])
def test_a_task_that_is_not_read_is_a_bad_row_with_its_name(tmp_path: Path, record: dict[str, object]) -> None:
    [bad] = read_outputs(_lines(tmp_path, {**record, "response": "x"})).rows
    assert isinstance(bad, BadRow) and "is not read (read: " in bad.reason
