"""`assess`: from a true trace; without one the risk is unknown, and only what does not parse is an exception."""

from __future__ import annotations

import math
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyze.risk.assessment import BEYOND_FIT, assess
from analyze.tokens.tokenizer import Tokenizer
from corpora.deadline import time_limit
from corpora.errors import InputError

ENDLESS = "def f(x):\n    while True:\n        x += 1"
UNKNOWN = {
    "a call that does not end": (ENDLESS, "f(1)", "time limit"),
    "a crash": ("import os\ndef f(x):\n    os._exit(1)", "f(1)", "exit status 1"),
    "no memory": ("def f(x):\n    return bytearray(1 << 40)", "f(1)", "MemoryError"),
    "too many frames": ("def f(x):\n    for i in range(x):\n        pass", "f(60000)", "max_frames"),
    "a value that is too long": ("def f(n):\n    s = ' ' * n\n    return n", "f(11_000_000)", "max_value"),
    "a program that needs what the sandbox does not have": ("import numpyy\ndef f(x):\n    return x", "f(1)", "numpyy"),
    "a program that does not compile": ("def f(x):\n    return x\nreturn 1", "f(1)", "outside function"),
    "chance": ("import random\ndef f(x):\n    return random.random() + x", "f(1)", "random"),
    "too many arguments": ("def f(x):\n    return x", "f(1, 2)", "takes 1 positional argument"),
}
REFUSED = {
    "nothing at all": ("", "f(1)", "the program does not define f; it defines no function"),
    "a function that there is not": ("def f(x):\n    return x", "g(1)", "the program does not define g; it defines f"),
    "a name that there is not": ("def f(x):\n    return x", "f(y)", "the program does not define y; it defines f"),
    "the program": ("def f(:", "f(1)", "the program does not parse"),
    "the call": ("def f(x):\n    return x", "f(", "the call does not parse"),
}


@pytest.mark.parametrize(("source", "call", "why"), REFUSED.values(), ids=REFUSED)
def test_what_does_not_parse_or_is_not_defined_is_refused(source: str, call: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        assess(source, call)


@pytest.mark.medium
@pytest.mark.parametrize(("source", "call", "why"), UNKNOWN.values(), ids=UNKNOWN)
@pytest.mark.usefixtures("short_endless_loops")
def test_without_a_whole_trace_the_risk_is_unknown_and_says_why(source: str, call: str, why: str) -> None:
    assessment = assess(source, call, seconds=1 if why == "time limit" else 60)
    assert assessment.risk is None and assessment.basis == "none"
    assert assessment.steps == () and assessment.lines == {}
    assert assessment.notes[0].startswith("risk unknown: ") and why in assessment.notes[0]


def test_of_a_value_that_is_too_long_nothing_is_tokenized(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []
    encode = Tokenizer.encode

    def counted(tokenizer: Tokenizer, text: str) -> list[int]:
        given.append(len(text))
        return encode(tokenizer, text)

    monkeypatch.setattr(Tokenizer, "encode", counted)
    source = "class A:\n    def __repr__(self):\n        return 'x' * 10_000_000\ndef f(n):\n    a = A()\n    return n"
    assessment = assess(source, "f(1)")
    assert assessment.tokens is None and 0 < assessment.least_tokens < 100
    assert sum(given) < 2000


def test_a_call_of_a_builtin_that_enters_no_function_has_a_risk() -> None:
    assert assess("f = len", "f('abc')").risk is not None


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
    short, long = assess(source, "f('ba')").risk, assess(source, f"f({'xqzja' * 9!r})").risk
    assert short is not None and long is not None and long > short


def test_the_riskiest_step_is_the_one_that_works_on_characters() -> None:
    source = "def f(s):\n    n = 3\n    n += 1\n    t = s.replace('ab', '-').strip('x')\n    return n\n"
    step = assess(source, "f('xxabqabjzabxx')").riskiest(1)[0]
    assert "n += 1" not in step.source
    assert step.why


@pytest.mark.medium
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


@pytest.mark.parametrize(
    ("comment", "listed"),
    [
        ("# ABSENT", True),
        ("# spellout: ignore[EDGE]", True),
        ("# spellout: ignore[ABSENT]", False),
        ("# spellout: ignore", False),
        ("# spellout: leave", False),
    ],
)
def test_hazards_that_a_comment_suppresses_are_not_listed(comment: str, listed: bool) -> None:
    found = assess(f"def f(s):\n    return s.rsplit('-.')  {comment}", "f('a-.-.b')").findings
    assert ("ABSENT" in {finding.hazard for finding in found}) == listed


@settings(max_examples=30)
@given(st.text(max_size=60), st.text(max_size=12))
def test_whatever_the_text_is_it_is_assessed(source: str, call: str) -> None:
    with suppress(InputError):
        assessment = assess(source, call, seconds=1)
        assert (assessment.risk is None) == (assessment.basis == "none")
        assert assessment.risk is None or 0 <= assessment.risk <= 1


def test_an_assessment_that_the_deadline_ends_has_no_risk_and_says_why() -> None:
    with time_limit(0):
        found = assess("def f(n):\n    return n", "f(3)")
    assert (found.risk, found.steps, found.trace.frames) == (None, (), ())
    assert found.notes == ("risk unknown: its time limit of 0 s (--seconds) has passed",)


@pytest.mark.medium
def test_the_reason_for_an_unknown_risk_is_given_once() -> None:
    found = assess("def f(n):\n    while True: ''.strip()", "f(3)", seconds=0.5)
    assert found.notes == ("risk unknown: exceeded its time limit",)


def test_a_note_names_the_exception_that_the_model_has_to_predict() -> None:
    found = assess("def f(x):\n    return y + x\n", "f(1)")
    assert found.notes[0].startswith("the call raises NameError: name 'y' is not defined; the risk is that")
    assert found.risk is not None


def test_a_trace_that_is_longer_than_those_of_the_fit_is_noted() -> None:
    source = "def f(n):\n    for i in range(n):\n        n += 1\n    return n\n"
    long, short = assess(source, "f(80)"), assess(source, "f(5)")
    assert any(BEYOND_FIT in note for note in long.notes) and not any(BEYOND_FIT in note for note in short.notes)
