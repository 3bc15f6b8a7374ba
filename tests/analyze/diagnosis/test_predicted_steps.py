"""Executed lines and annotated states: what cannot be read first, then what diverges where."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyze import trace_call
from analyze.diagnosis.failing_operation import find_failing_operation
from analyze.diagnosis.predicted_steps import diagnose_steps

SOURCE = """def g(x):
    return x + 1

def f(xs):
    total = 0
    for x in xs:
        if x > 1: total += g(x)
    ys = [
        x for x in xs]
    return total
"""
TRACE = trace_call(SOURCE, "f([1, 2])")
LINES = [5, 6, 7, 6, 7, 2, 6, 8, 10]
ANNOTATED = """def f(xs):
    total = 0  ## [STATE]total=0[/STATE]
    for x in xs:  ## [STATE]x=[1, 2][/STATE] [STATE]xs=[1, 2][/STATE]
        total += x  # [STATE]total=[1, 3][/STATE]
    return total
"""
LOOP = trace_call("def f(xs):\n    total = 0\n    for x in xs:\n        total += x\n    return total\n", "f([1, 2])")


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        pytest.param("", "its answer is no list of line numbers", id="nothing"),
        pytest.param("5, then 6", "its answer is no list of line numbers", id="prose"),
        pytest.param("<ANSWER>[5, 6", "its answer is no list of line numbers", id="cut off"),
        pytest.param("<ANSWER>[5, '6']</ANSWER>", "its answer is no list of line numbers", id="a string"),
        pytest.param("[5, True]", "its answer is no list of line numbers", id="a bool"),
        pytest.param("{5}", "its answer is no list of line numbers", id="a set"),
        pytest.param("[5, 0]", "its answer has a line that the program does not have", id="line 0"),
        pytest.param("[5, 13]", "its answer has a line that the program does not have", id="a line of main"),
    ],
)
def test_what_is_no_list_of_lines_is_unread_with_the_reason(output: str, reason: str) -> None:
    found = diagnose_steps(TRACE, output, "lines")
    assert (found.kind, found.answer, found.correct, found.predicted) == ("no trace", None, False, reason)


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        pytest.param("", "it has no annotation", id="nothing"),
        pytest.param("x=[1, 2]", "it has no annotation", id="no annotation"),
        pytest.param("for x in xs: ## [STATE]x=[MASK][/STATE]", "is no value of a variable", id="not filled in"),
        pytest.param("for x in xs: ## [STATE]len(xs)=2[/STATE]", "is no value of a variable", id="an expression"),
        pytest.param("for x in xs: ## [STATE]x[/STATE]", "is no value of a variable", id="no value"),
        pytest.param("for y in xs: ## [STATE]y=1[/STATE]", "does not have the line", id="another line"),
        pytest.param("[STATE]x=1[/STATE]", "does not have the line", id="no line"),
        pytest.param("for x in xs: ## [STATE]y=1[/STATE]", "'y' has no value after line 3", id="another variable"),
    ],
)
def test_an_annotation_without_a_certain_meaning_is_unread_with_the_reason(output: str, reason: str) -> None:
    found = diagnose_steps(LOOP, output, "states")
    assert (found.kind, found.answer) == ("no trace", None) and reason in found.predicted


@pytest.mark.parametrize(
    ("source", "output", "reason"),
    [
        ("def f(n):\n    for i in range(n): pass", "for i in range(n): pass # [STATE]i=0[/STATE]", "on one line"),
        (
            "def f(n):\n    for i in range(n):\n        for j in range(n):\n            k = 1",
            "for j in range(n): # [STATE]j=0[/STATE]",
            "nested loops",
        ),
        ("def f(n):\n    k = 1\n    k = 1", "k = 1 # [STATE]k=1[/STATE]", "exactly once"),
        ("def f(n):\n    k = 1\n    return f(n - 1) if n else k", "k = 1 # [STATE]k=1[/STATE]", "calls itself"),
    ],
)
def test_what_the_form_leaves_open_is_not_guessed(source: str, output: str, reason: str) -> None:
    found = diagnose_steps(trace_call(source, "f(1)"), output, "states")
    assert found.answer is None and reason in found.predicted


@pytest.mark.parametrize(("predicts", "output"), [("branches", "[1]"), (1, "[1]"), ("lines", [1])])
def test_other_predictions_and_outputs_are_unread(predicts: object, output: object) -> None:
    assert diagnose_steps(TRACE, output, predicts).answer is None


def test_a_call_without_an_end_compares_nothing() -> None:
    found = diagnose_steps(trace_call("def f(x):\n    return missing(", "f(1)"), "[2]", "lines")
    assert found.answer is None and "no reference trace" in found.predicted


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(LINES, id="as they run"),
        pytest.param([4, *LINES[:5], 1, *LINES[5:]], id="with headers of functions"),
        pytest.param([*LINES[:-1], 9, 8, 9, 10], id="with lines inside of a statement"),
    ],
)
def test_right_lines_have_no_divergence(lines: list[int]) -> None:
    found = diagnose_steps(TRACE, f"<think>[1]</think>It returns 3.\n<answer>\n{lines}\n</answer>", "lines")
    assert (found.kind, found.correct, found.truth) == ("none", True, str(LINES))


@given(st.lists(st.sampled_from([2, 5, 6, 7, 8, 10]), max_size=12))
def test_only_the_lines_that_run_are_right(lines: list[int]) -> None:
    found = diagnose_steps(TRACE, str(lines), "lines")
    apart = [line for place, line in enumerate(lines) if place == 0 or lines[place - 1] != line]
    assert found.correct == (apart == LINES) == (found.kind == "none")


def test_the_first_other_line_is_an_action_at_its_frame() -> None:
    found = diagnose_steps(TRACE, "[5, 6, 7, 2, 6, 7, 6, 8, 10]", "lines")
    assert (found.kind, found.true, found.predicted) == ("action", "line 6: for x in xs:", "line 2: return x + 1")
    assert TRACE.frames[found.frame].source == "    for x in xs:\n" and TRACE.lines[found.frame] == 6


@pytest.mark.parametrize(("lines", "true", "said"), [(LINES[:-1], "line 10: return total", ""), ([*LINES, 5], "", "5")])
def test_lines_too_few_or_too_many_are_an_event(lines: list[int], true: str, said: str) -> None:
    found = diagnose_steps(TRACE, str(lines), "lines")
    assert (found.kind, found.true, said in found.predicted) == ("event", true, True)


def test_right_annotations_have_no_divergence() -> None:
    assert diagnose_steps(LOOP, ANNOTATED, "states").kind == "none"


def test_no_iteration_is_an_empty_list() -> None:
    empty = trace_call("def f(xs):\n    for x in xs:\n        y = x\n    return 0", "f([])")
    assert diagnose_steps(empty, "for x in xs: # [STATE]x=[][/STATE]", "states").correct
    assert diagnose_steps(empty, "for x in xs: # [STATE]x=[1][/STATE]", "states").kind == "event"


def test_the_first_wrong_value_is_a_state_and_has_an_operation() -> None:
    found = diagnose_steps(LOOP, ANNOTATED.replace("[1, 3]", "[1, 4]"), "states")
    assert (found.kind, found.correct) == ("state", False)
    [operation] = find_failing_operation(LOOP, found).operations
    assert (operation.line, operation.reference, operation.predicted) == (4, "3", "4")


@pytest.mark.parametrize(("said", "count"), [("[1]", "1 values"), ("[1, 2, 3]", "3 values")])
def test_values_of_too_few_or_too_many_iterations_are_an_event(said: str, count: str) -> None:
    found = diagnose_steps(
        LOOP, ANNOTATED.replace("x=[1, 2][/STATE] [STATE]xs", f"x={said}[/STATE] [STATE]xs"), "states"
    )
    assert (found.kind, found.true, found.predicted) == ("event", "line 3: 2 values", count)
