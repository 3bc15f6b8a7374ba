"""`assess`: from a trace where there is one, from the source alone where there is none, and never an exception."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyze.risk.assessment import assess

WITHOUT_TRACE = {
    "a program that does not parse": ("def f(", "f(1)", "never closed"),
    "a call that does not parse": ("def f(x):\n    return x", "f(", "never closed"),
    "a call that does not end": ("def f(x):\n    while True:\n        x += 1", "f(1)", "time limit"),
    "a program that needs what the sandbox does not have": ("import numpyy\ndef f(x):\n    return x", "f(1)", "numpyy"),
    "chance": ("import random\ndef f(x):\n    return random.random() + x", "f(1)", "random"),
    "nothing at all": ("", "f(1)", "never made"),
}


@pytest.mark.parametrize(("source", "call", "why"), WITHOUT_TRACE.values(), ids=WITHOUT_TRACE)
def test_without_a_trace_the_source_is_assessed_and_says_so(source: str, call: str, why: str) -> None:
    assessment = assess(source, call, seconds=1)
    if source:
        assert assessment.basis == "source"
        assert why in assessment.notes[0]
    assert 0 <= assessment.risk <= 1


def test_a_call_that_raises_has_a_trace() -> None:
    assessment = assess("def f(s):\n    return s.index('z')", "f('abc')")
    assert assessment.basis == "trace"
    assert len(assessment.steps) == len(assessment.trace.frames)


def test_a_lone_surrogate_is_assessed() -> None:
    assert assess("def f(s):\n    return s.upper()", "f('\\ud800abcdef')").basis == "trace"


def test_what_the_prompt_says_has_no_risk() -> None:
    steps = assess("def f(s):\n    return s.rindex('a')", "f('banana')").steps
    assert [step.risk for step in steps[:3]] == [0, 0, 0]
    assert all(step.risk > 0 for step in steps[3:])


def test_a_search_in_a_long_text_is_riskier_than_in_a_short_one() -> None:
    source = "def f(s):\n    return s.rindex('a')"
    assert assess(source, f"f({'xqzja' * 9!r})").risk > assess(source, "f('ba')").risk


def test_the_riskiest_step_is_the_one_that_works_on_characters() -> None:
    source = "def f(s):\n    n = 3\n    n += 1\n    t = s.replace('ab', '-').strip('x')\n    return n\n"
    step = assess(source, "f('xxabqabjzabxx')").riskiest(1)[0]
    assert "n += 1" not in step.source
    assert step.why


def test_the_budget_is_that_of_the_whole_trace() -> None:
    assessment = assess("def f(n):\n    for i in range(n):\n        pass\n    return n", "f(20)")
    assert assessment.tokens is not None
    assert assessment.fits(assessment.tokens)
    assert not assessment.fits(assessment.tokens - 1)


def test_the_line_that_makes_a_frame_carries_its_risk() -> None:
    source = "def g(s):\n    return s.rindex('a')\ndef f(s):\n    n = g(s)\n    return n"
    steps = assess(source, "f('banana')").steps
    shown = [(step.event, step.line, step.made_by, step.values) for step in steps[3:]]
    assert shown == [
        ("line", 4, 3, ()),
        ("call", 1, 4, (("s", "'banana'"),)),
        ("line", 2, 1, ()),
        ("return", 2, 2, (("", "5"),)),
        ("line", 5, 4, (("s", "'banana'"), ("n", "5"))),
        ("return", 5, 5, (("", "5"),)),
        ("return", 8, 8, (("", "5"),)),
    ]


def test_an_exception_that_passes_through_is_made_by_the_lines_it_passes() -> None:
    source = (
        "def g(s):\n    return s.index('z')\ndef f(s):\n    try:\n        g(s)\n    except ValueError:\n        s = 1\n"
    )
    steps = assess(source, "f('ab')").steps
    assert [(step.event, step.made_by) for step in steps if step.event in ("exception", "return")] == [
        ("exception", 2),
        ("return", 2),
        ("exception", 5),
        ("return", 7),
        ("return", 10),
    ]


def test_risk_by_line_is_that_of_all_the_frames_that_it_makes() -> None:
    assessment = assess("def f(s):\n    for c in s:\n        s = s.replace(c, 'b')\n    return s", "f('axyz')")
    made = [step.risk for step in assessment.steps if step.made_by == 3]
    assert len(made) == 4
    assert assessment.lines[3] == pytest.approx(1 - math.prod(1 - risk for risk in made))
    assert set(assessment.lines) <= set(range(1, 8))


@settings(max_examples=30)
@given(st.text(max_size=60), st.text(max_size=12))
def test_whatever_the_text_is_it_is_assessed(source: str, call: str) -> None:
    assessment = assess(source, call, seconds=1)
    assert 0 <= assessment.risk <= 1
    assert assessment.basis in ("trace", "source")
