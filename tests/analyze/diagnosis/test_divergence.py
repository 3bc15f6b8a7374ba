"""The first divergence and the grades, for ids, text and stripped text alike."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from analyze.diagnosis.divergence import DIVERGENCE_KINDS, DivergenceKind, diagnose
from analyze.gold_trace.frames import Frame, frames_to_ids, frames_to_text
from analyze.gold_trace.trace import Trace, build_frames, trace_call
from analyze.tokens.tokenizer import default_tokenizer
from corpora.program import Outcome

SOURCE = "def f(x):\n    y = x + 1\n    return y\n\ndef main(): # << START_OF_TRACE\n    return f(1)\n"
FRAMES = tuple(
    build_frames(
        [
            ("call", 5, {}, None),
            ("line", 6, {}, None),
            ("call", 1, {"x": "1"}, None),
            ("line", 2, {"x": ".."}, None),
            ("line", 3, {"x": "..", "y": "2"}, None),
            ("return", 3, None, "2"),
            ("return", 6, None, "2"),
        ],
        SOURCE,
    )
)
TRACE = Trace(SOURCE, FRAMES, Outcome("ok", value="2"))


def changed(index: int, **fields: object) -> tuple[Frame, ...]:
    return (*FRAMES[:index], replace(FRAMES[index], **fields), *FRAMES[index + 1 :])  # type: ignore[arg-type]


def stripped(frames: tuple[Frame, ...]) -> str:
    return "".join(text for frame in frames for text, special in frame.pieces() if not special)


CASES: dict[str, tuple[tuple[Frame, ...], DivergenceKind, int]] = {
    "a wrong value in a state": (changed(4, state=(("x", ".."), ("y", "3"))), "state", 4),
    "a missing variable": (changed(4, state=(("x", ".."),)), "state", 4),
    "another line": (changed(3, source="    return y\n"), "action", 3),
    "another line and another state": (changed(3, source="    return y\n", state=()), "event", 3),
    "a wrong return value inside": (changed(5, value="3"), "return value", 5),
    "a step left out": ((*FRAMES[:4], *FRAMES[5:]), "event", 4),
    "a step too many": ((*FRAMES, FRAMES[-1]), "event", 7),
    "nothing wrong": (FRAMES, "none", 7),
    "an end that comes too early": (FRAMES[:3], "cut off while right", 3),
}


FORMS: dict[str, Callable[[tuple[Frame, ...]], str | Sequence[int]]] = {
    "ids": lambda frames: frames_to_ids(frames, default_tokenizer()),
    "text": frames_to_text,
    "stripped": stripped,
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("form", FORMS)
def test_the_kind_and_the_frame_are_found(case: str, form: str) -> None:
    frames, kind, index = CASES[case]
    found = diagnose(TRACE, FORMS[form](frames))
    assert (found.kind, found.frame) == (kind, index)


def test_a_cut_inside_a_right_frame_is_no_mistake_and_inside_a_wrong_one_is() -> None:
    text = frames_to_text(FRAMES)
    assert diagnose(TRACE, text[: text.index('"y"') + 2]).kind == "cut off while right"
    wrong = diagnose(TRACE, text[: text.index('"y"')] + '"z": "2')
    assert (wrong.kind, wrong.frame) == ("state", 4)


def test_prose_where_a_frame_should_stand_is_a_format_error() -> None:
    assert diagnose(TRACE, frames_to_text(FRAMES[:3]) + "Now let us").kind == "format"


@pytest.mark.parametrize("output", ['{"x": "2"}', '{\n  "answer": "2"\n}\n', '{"answer": {"x": 2}}'])
def test_a_json_object_is_a_value_and_no_state(output: str) -> None:
    found = diagnose(TRACE, output)
    assert (found.kind, found.where) == ("no trace", "no trace")


def test_a_first_frame_that_was_cut_off_is_no_value() -> None:
    assert diagnose(TRACE, '{"x": "2"}def ma').kind == "state"


def test_an_end_of_text_where_a_frame_should_stand_is_another_event() -> None:
    assert diagnose(TRACE, frames_to_text(FRAMES[:3]) + "<|end_of_text|>").kind == "event"


def test_lines_that_only_spaces_tell_apart_are_shown_with_them() -> None:
    found = diagnose(TRACE, frames_to_text(FRAMES).replace("return y\n", "return y", 1))
    assert found.action is not None
    assert (found.action.true, found.action.predicted) == ("line: '    return y\\n'", "line: '    return y'")
    another = diagnose(TRACE, frames_to_text(changed(3, source="    return y\n"))).action
    assert another is not None and (another.true, another.predicted) == ("line: y = x + 1", "line: return y")


def test_a_line_with_a_unicode_separator_is_a_line_of_the_program() -> None:
    trace = replace(TRACE, context=SOURCE + "# a\u2028b\n")
    action = diagnose(trace, frames_to_text(changed(3, source="# a\u2028b\n"))).action
    assert action is not None and action.in_program


@pytest.mark.parametrize("write", [frames_to_text, stripped])
def test_windows_line_ends_are_no_difference(write: Callable[[tuple[Frame, ...]], str]) -> None:
    assert diagnose(TRACE, write(FRAMES).replace("\n", "\r\n")).kind == "none"


def test_memory_addresses_are_no_difference() -> None:
    true = (*FRAMES[:4], replace(FRAMES[4], state=(("g", "<function f.<locals>.g>"),)), *FRAMES[5:])
    output = frames_to_text(true).replace("locals>.g>", "locals>.g at 0x7f2f6f8b8b80>")
    assert diagnose(replace(TRACE, frames=true), output).kind == "none"


def test_the_answer_is_read_from_the_final_return_and_the_block_is_told_apart() -> None:
    output = frames_to_text(FRAMES) + "\n[ANSWER]\nassert f(1) == 3\n[/ANSWER]"
    found = diagnose(TRACE, output)
    assert (found.answer, found.correct, found.block, found.block_correct) == ("2", True, "3", False)


def test_a_right_answer_after_a_wrong_state_is_right() -> None:
    found = diagnose(TRACE, frames_to_text(CASES["a wrong value in a state"][0]))
    assert (found.kind, found.correct) == ("state", True)


def test_an_output_that_never_returns_from_main_has_no_answer() -> None:
    assert diagnose(TRACE, frames_to_text(FRAMES[:6])).answer is None


@pytest.mark.parametrize("rest", ["    return f(", "    return f(1)\n", '    return f(1)\n"', '    return f(1)\n"2'])
def test_an_output_without_special_tokens_that_is_cut_in_the_last_return_has_no_answer(rest: str) -> None:
    found = diagnose(TRACE, stripped(FRAMES[:6]) + rest)
    assert (found.kind, found.answer, found.correct) == ("cut off while right", None, False)


def test_prose_after_a_return_ends_an_output_without_special_tokens() -> None:
    assert diagnose(TRACE, stripped(FRAMES[:6]) + "\nSo it returns 2.").answer == "2"


COUNTED = "n = [0]\ndef f(x):\n    n[0] += 1\n    return g() + 1 if n[0] == 1 else x\ndef g():\n    return f(5)\n"


def test_a_function_that_returns_the_call_of_main_does_not_end_the_trace() -> None:
    trace = trace_call(COUNTED, "f(5)")
    assert (trace.outcome.value, diagnose(trace, trace.text).answer) == ("6", "6")


def test_an_empty_output_is_cut_off_at_the_first_frame() -> None:
    found = diagnose(TRACE, "")
    assert (found.kind, found.where) == ("cut off while right", "the output is empty")


@pytest.mark.parametrize(("budget", "fits"), [(10, False), (10_000, True)])
def test_whether_the_true_trace_fits_the_budget_is_told(budget: int, fits: bool) -> None:
    found = diagnose(TRACE, "", budget=budget)
    assert (found.fits, found.true_tokens) == (fits, TRACE.tokens)


def test_permutations_are_graded_by_the_last_state_of_the_traced_function() -> None:
    source = "def g():\n    a = 1\n    b = 2\n    a, b = b, a\n    print(a)"
    trace = trace_call(source, "g()", "state")
    found = diagnose(trace, trace.text)
    assert (found.truth, found.answer, found.correct) == ("{'a': 2, 'b': 1}", "{'a': 2, 'b': 1}", True)


def test_a_program_that_raises_is_graded_by_its_exception() -> None:
    trace = trace_call("def f(x):\n    return [][x]", "f(1)")
    found = diagnose(trace, trace.text)
    assert found.correct
    assert "IndexError" in found.truth
    assert not diagnose(trace, trace.text.replace("IndexError", "KeyError")).correct


def test_tables_show_wrong_values_first_and_right_traces_last() -> None:
    assert DIVERGENCE_KINDS == (
        "return value",
        "state",
        "action",
        "event",
        "format",
        "no trace",
        "cut off while right",
        "none",
    )


SPECIAL_PROGRAM = "def f(s):\n    t = '<|frame_sep|>' + s\n    return t.count('<|line_sep|>')\n"
SPECIAL_CALL = "f('<|line_sep|>x<|return_sep|>')"


@pytest.mark.parametrize("form", FORMS)
def test_names_of_special_tokens_in_strings_of_the_program_are_text(form: str) -> None:
    trace = trace_call(SPECIAL_PROGRAM, SPECIAL_CALL)
    found = diagnose(trace, FORMS[form](trace.frames))
    assert (found.kind, found.correct) == ("none", True)
    wrong = tuple(replace(frame, value="7") if frame.value == "1" else frame for frame in trace.frames)
    found = diagnose(trace, FORMS[form](wrong))
    assert (found.kind, found.frame, found.answer) == ("return value", 5, "7")


@pytest.mark.parametrize("cut", range(0, 420, 30))
def test_an_output_that_is_cut_in_such_a_string_is_right_until_then(cut: int) -> None:
    trace = trace_call(SPECIAL_PROGRAM, SPECIAL_CALL)
    assert diagnose(trace, trace.text[:cut]).kind == "cut off while right"
