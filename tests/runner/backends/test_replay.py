"""Recorded outputs answer for a model, and never for a question that was not recorded."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from analyze import trace_call
from corpora.errors import InputError
from runner.asking.generation import Prompt
from runner.backends import load_model
from runner.backends.replay import Replay


def recorded(path: Path, *rows: Mapping[str, object]) -> Replay:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return Replay(path)


def test_a_missing_file_is_one_line_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere"):
        load_model(f"replay:{tmp_path}/nowhere.jsonl")


@pytest.mark.parametrize("line", ["{", "[]", '{"id": 1}', '{"id": null, "output": ""}', '{"id": 1, "output": 2}', "3"])
def test_a_row_without_id_and_output_is_named_by_line_and_the_others_answer(tmp_path: Path, line: str) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text('{"id": "a", "output": "x"}\n' + line + "\n")
    replay = Replay(path)
    assert [bad.where for bad in replay.bad] == [f"{path}:2"]
    assert replay.generate([Prompt("a", "original", ())], 8, lambda active: None)[0].text == "x"


def test_a_recording_without_any_output_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text('{"id": 1}\n{\n')
    with pytest.raises(InputError, match=r"out\.jsonl: has no recorded outputs: its first record has id"):
        Replay(path)


def test_a_recording_that_a_run_cannot_grade_is_warned_about(tmp_path: Path) -> None:
    rows = [{"id": "a", "output": text, "answer_index": number} for number, text in enumerate(("2", "[ANSWER]2"))]
    warnings = list(recorded(tmp_path / "out.jsonl", *rows).check_cases((), {}, ()))
    assert ["has 2 answers to a sample" in warnings[0], "has no traces" in warnings[1]] == [True, True]
    traced = recorded(tmp_path / "traced.jsonl", {"id": "a", "output": trace_call("def f(): pass", "f()").text})
    assert list(traced.check_cases((), {}, ())) == []


def test_an_unrecorded_question_stays_unanswered(tmp_path: Path) -> None:
    replay = recorded(tmp_path / "o.jsonl", {"id": "a", "output": "x"})
    (generation,) = replay.generate([Prompt("a", "decompose", ())], 8, lambda active: None)
    assert (generation.stopped, generation.text) == ("unrecorded", "")


@pytest.mark.parametrize(
    ("row", "stopped"),
    [
        pytest.param({"output": ""}, "limit", id="nothing"),
        pytest.param({"output": '<|call_sep|>{"x": "1"}'}, "limit", id="the beginning of a trace"),
        pytest.param({"output": "{}"}, "limit", id="perhaps its beginning"),
        pytest.param({"output": "Answer: 3"}, "end", id="no trace"),
        pytest.param({"output": "Answer: 3", "stopped": "limit"}, "limit", id="a limit that was recorded"),
        pytest.param({"output": "{}def main", "stopped": "end"}, "end", id="an end that was recorded"),
        pytest.param({"output": "{}def main", "stopped": "unrecorded"}, "limit", id="no reason"),
    ],
)
def test_why_an_output_ended_is_what_was_recorded_or_what_it_shows(
    tmp_path: Path, row: dict[str, object], stopped: str
) -> None:
    replay = recorded(tmp_path / "o.jsonl", {"id": "a", **row})
    (generation,) = replay.generate([Prompt("a", "original", ())], 8, lambda active: None)
    assert generation.stopped == stopped


def test_an_output_that_ran_on_ends_where_a_run_would_have_stopped(tmp_path: Path) -> None:
    replay = recorded(tmp_path / "o.jsonl", {"id": "a", "output": "t [ANSWER] 1 [/ANSWER] Now solve"})
    (generation,) = replay.generate([Prompt("a", "original", ())], 8, lambda active: None)
    assert (generation.stopped, generation.text) == ("answer", "t [ANSWER] 1 [/ANSWER]")


def test_an_output_answers_for_its_own_program_alone(tmp_path: Path) -> None:
    replay = recorded(
        tmp_path / "o.jsonl", *({"id": "a", "code": code, "input": "1", "output": code} for code in ("p", "q"))
    )
    prompts = [Prompt("a", "original", (), source, "f(1)") for source in ("p", "q\n", "r")]
    assert [generation.text for generation in replay.generate(prompts, 8, lambda active: None)] == ["p", "q", ""]


def test_two_outputs_for_one_question_are_refused_with_both_lines(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"o\.jsonl:2: another output for id a than .*o\.jsonl:1 has"):
        recorded(tmp_path / "o.jsonl", {"id": "a", "output": "x"}, {"id": "a", "output": "y"})


def test_what_a_run_did_not_ask_is_no_output(tmp_path: Path) -> None:
    replay = recorded(tmp_path / "o.jsonl", {"id": "a", "output": "", "verdict": "not asked"})
    (generation,) = replay.generate([Prompt("a", "original", ())], 8, lambda active: None)
    assert generation.stopped == "unrecorded"


def test_an_output_that_is_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"o\.jsonl:1"):
        recorded(tmp_path / "o.jsonl", {"id": "a", "output": None})
