"""An attempt as JSON: what differs, the diff of its rewrite, and why it failed."""

from dataclasses import replace

from analyze import trace_call
from analyze.tokens.tokenizer import default_tokenizer
from runner.reports.viewer.attempt_json import analyze_failure, attempt_json
from tests.runner.reports.viewer.runs import CALL, REWRITTEN, SOURCE, record, rewritten


def test_an_attempt_that_was_not_asked_has_reference_frames_only() -> None:
    sample = replace(record(), verdict="not asked", output="", predicted=None, diagnosis=None)
    trace = trace_call(SOURCE, CALL)
    assert analyze_failure(sample, trace) is None
    found = attempt_json(sample, None, trace, None, default_tokenizer())
    assert found["aligned"] == [[number, None, None] for number in range(len(trace.frames))]


def test_a_correct_attempt_has_no_cause() -> None:
    trace = trace_call(SOURCE, CALL)
    assert analyze_failure(record(), trace) is None
    found = attempt_json(record(), None, trace, None, default_tokenizer())
    assert {(frame, kind) for _, frame, kind in found["aligned"]} == {(0, None)}
    assert (found["cause"], found["operations"], found["rewrite"]) == ("", (), None)


def test_a_rewrite_without_its_original_has_no_diff() -> None:
    found = attempt_json(rewritten(), None, trace_call(REWRITTEN, CALL), None, default_tokenizer())
    assert (found["rewrite"]["before"], found["rewrite"]["diff"]) == (None, [])


def test_a_wrong_value_is_shown_with_the_operation_that_produced_it() -> None:
    sample, trace = rewritten(wrong="'worfw'"), trace_call(REWRITTEN, CALL)
    analysis = analyze_failure(sample, trace)
    assert analysis is not None
    assert [one["operation"] for one in analysis.operations] == ["_t0[::-1]"]
    found = attempt_json(sample, record(), trace, analysis, default_tokenizer())
    wrong = [(index, frame[3], kind) for index, frame, kind in found["aligned"] if kind]
    assert wrong[0] == (5, "['wolf', 'worfw']", "return value")
    assert found["cause"] == "index and slice"
    assert found["rewrite"]["diff"] == [["equal", 0, 1, 0, 1], ["replace", 1, 2, 1, 3], ["equal", 2, 3, 3, 4]]


def test_the_tokens_of_a_predicted_frame_add_up_to_what_it_writes() -> None:
    sample, trace = record(wrong="'wo\\u2603'"), trace_call(SOURCE, CALL)
    aligned = attempt_json(sample, None, trace, None, default_tokenizer())["aligned"]
    frame = next(frame for _, frame, kind in aligned if kind)
    assert sum(frame[4]) == len('"' + frame[3].replace("☃", "\\u2603") + '"')
