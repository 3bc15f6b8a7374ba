"""The verdict from compared runs, and the comparison of observed runs with ordinary ones."""

from typing import Any

import pytest

from analyze import trace_call
from corpora import Case
from rewrite.equivalence.judgement import find_observer_effect, find_unobserved_difference, judge
from rewrite.equivalence.program_pair import ProgramPair
from runner.records.samples import ORIGINAL
from runner.runs.question import SkippedQuestion, pose_question

NOTICES = "import sys\n\n\ndef f(a):\n    return 1 if sys.gettrace() else a\n"
SPLIT = "def f(a):\n    b = a + 1\n    return b\n"


def judged(before: str, after: str, calls: list[str]) -> tuple[bool | None, str]:
    pair = ProgramPair(before, after, 2.0)
    pair.first_difference(calls)
    return judge(pair, calls)


def test_agreement_on_a_call_that_returns_is_evidence() -> None:
    assert judged(SPLIT, "def f(a):\n    return a + 1\n", ["f(1)"]) == (True, "the same on 1 input")


def test_a_sequence_of_calls_that_all_raise_is_no_evidence() -> None:
    pair = ProgramPair("def f(a):\n    return int(a) + 1\n", "def f(a):\n    return 1 + int(a)\n", 2.0)
    pair.first_difference(["f('x'); f('y')"])
    assert judge(pair).why.startswith("every input raised (1 input, most often an exception in each call of a sequence")


@pytest.mark.medium
def test_a_difference_outweighs_calls_that_could_not_be_compared() -> None:
    assert judged(SPLIT, SPLIT.replace("1", "2"), ["f(id(f))", "f(1)"]) == (False, "they differ in value")


def test_no_run_at_all_is_no_evidence() -> None:
    assert judged(SPLIT, SPLIT + "\n", []) == (None, "no input could be compared: no input was tried")


def test_an_ordinary_run_shows_what_a_trace_does_not() -> None:
    assert find_unobserved_difference(NOTICES, NOTICES.replace("1 if sys.gettrace() else a", "1"), ["f(1)"]) == ""
    why = find_unobserved_difference(NOTICES, NOTICES.replace("1 if sys.gettrace() else a", "1"), ["f(1)", "f(2)"])
    assert why == "it does something else under f(2) (value)"


@pytest.mark.parametrize(("call", "effect"), [("f(1)", ""), ("f(2)", "value")])
def test_a_program_that_notices_the_tracer_has_no_reference_trace(call: str, effect: str) -> None:
    trace = trace_call(NOTICES, call)
    assert find_observer_effect(trace.context, trace.outcome) == effect


def test_a_program_that_notices_the_tracer_is_not_asked_about() -> None:
    unused: Any = None
    asked = pose_question(Case("a", NOTICES, "f(2)"), ORIGINAL, unused)
    assert isinstance(asked, SkippedQuestion)
    assert asked.reason == "no reference trace: the program does something else when it is traced (value)"
