"""The formats: every one is found by its folder, and shows what the reference trace shows."""

from __future__ import annotations

import json

import pytest

from analyze import Trace, default_tokenizer, trace_call
from analyze.diagnosis.parse_output import parse_output
from corpora import Case
from runner.traces.formats import format_summaries, renderer
from tests.places import ROOT

SOURCE = (
    "def g(x):\n    del x\n    return 1\n\ndef f(n):\n    a = n\n    while a:\n        a -= g(a)\n    return int('x')"
)
CASE = Case("a", SOURCE, "f(1)")


@pytest.fixture(scope="module")
def trace() -> Trace:
    return trace_call(CASE.source, CASE.call)


def test_the_four_formats_are_there() -> None:
    assert set(format_summaries()) == {"cwm", "annotated", "json", "qa"}


def test_cwm_is_read_back_as_the_trace(trace: Trace) -> None:
    made = renderer("cwm")(CASE, trace, default_tokenizer())
    assert parse_output(made.text, default_tokenizer()).frames == trace.frames
    assert made.ids is not None and made.ids[-1] == default_tokenizer().special_id("<|end_of_text|>")
    assert made.count_tokens(default_tokenizer()) == (trace.tokens or 0) + 1


def test_a_special_token_in_a_program_is_text_in_the_ids() -> None:
    case = Case("a", "def f():\n    return '<|frame_sep|>'", "f()")
    tokenizer = default_tokenizer()
    made = renderer("cwm")(case, trace_call(case.source, case.call), tokenizer)
    assert made.ids is not None and made.prompt_ids is not None
    separator = tokenizer.special_id("<|frame_sep|>")
    assert made.text.count("<|frame_sep|>") > made.ids.count(separator) == 6  # CALL, LINE and RETURN of main and of f
    assert made.prompt.count("<|frame_sep|>") == 2 and made.prompt_ids.count(separator) == 1


def test_annotated_source_names_what_each_line_changes(trace: Trace) -> None:
    made = renderer("annotated")(CASE, trace, default_tokenizer())
    lines = made.text.splitlines()
    assert lines[2:10] == [
        "def f(n):  # n=1",
        "    a = n  # a=1",
        "    while a:",
        "        a -= g(a)  # a=0",
        "def g(x):  # x=1",
        "    del x  # del x",
        "    return 1  # return 1",
        "    while a:",
    ]
    assert lines[10].startswith("    return int('x')  # raise (<class 'ValueError'>")


def test_the_page_shows_an_annotated_trace() -> None:
    section = (ROOT / "docs" / "traces.md").read_text(encoding="utf-8").partition("## Formats")[2]
    program, shown = (block.partition("\n")[2] for block in section.split("```")[1:4:2])
    made = renderer("annotated")(Case("a", program, "f(1)"), trace_call(program, "f(1)"), default_tokenizer())
    assert made.text == shown


def test_json_frames_have_all_locals(trace: Trace) -> None:
    made = renderer("json")(CASE, trace, default_tokenizer())
    frames = [json.loads(line) for line in made.text.splitlines()]
    assert [frame["event"] for frame in frames] == [frame.event for frame in trace.frames]
    assert [frame["line"] for frame in frames] == list(trace.lines)
    shown = [frame["locals"] for frame in frames if "locals" in frame]
    assert ".." not in [value for state in shown for value in state.values()]
    assert {"n": "1", "a": "0"} in shown


@pytest.mark.parametrize(
    ("call", "answer"), [("f(1)", "Answer: ValueError"), ("g(1)", "Answer: 1")], ids=["an exception", "a value"]
)
def test_the_answer_of_a_question_is_the_outcome(call: str, answer: str) -> None:
    case = Case("a", SOURCE, call)
    made = renderer("qa")(case, trace_call(case.source, case.call), default_tokenizer())
    assert made.text == answer
    assert f"Expression: {call}" in made.prompt and SOURCE in made.prompt
