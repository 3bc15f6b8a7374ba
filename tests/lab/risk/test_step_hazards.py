"""Which hazards a step carries: those that `classify` and the audit find in the same strings."""

import pytest

from analyze import default_tokenizer
from analyze.gold_trace.trace import trace_call
from analyze.risk.steps import Operand, RecordedOperation, record_operations
from analyze.tokens.engines import engine_for
from lab.risk.step_hazards import HAZARDS, is_edit, is_search, questions, step_hazards

ENGINE = engine_for(default_tokenizer())


def operations(body: str, call: str) -> list[RecordedOperation]:
    made = record_operations(trace_call(f"def f(s, t=''):\n    return {body}", call))
    assert made is not None
    return [one for found in made.operations for one in found]


@pytest.mark.parametrize(
    ("body", "call", "hazard"),
    [
        ("s.rsplit(t)", "f('a-.-.b', '-.')", "ABSENT"),
        ("t in s", "f('hello', 'l')", "SWALLOWED"),
        ("s.count(t)", "f('1,2', ',')", "MATCH"),
        ("s.upper()", "f('hello world')", "EDIT_RETOK"),
        ("s[2]", "f('hello')", "HIDDEN_CHAR"),
    ],
)
def test_a_step_carries_what_its_operation_does(body: str, call: str, hazard: str) -> None:
    made = operations(body, call)
    assert step_hazards([[], made], ENGINE).tolist()[0] == [False] * len(HAZARDS)
    assert step_hazards([made], ENGINE)[0, HAZARDS.index(hazard)]


@pytest.mark.parametrize(
    ("body", "call", "searched", "edited"),
    [
        ("s.find(t)", "f('ab', 'b')", True, False),
        ("s.strip()", "f(' ab')", True, True),
        ("s.upper()", "f('ab')", False, True),
        ("t.join([s, s])", "f('ab', ',')", True, False),
        ("s.find(t, 1)", "f('abb', 'b')", True, False),
        ("s.rindex(t, 0, -1)", "f('abb', 'b')", True, False),
        ("s.count(t, None, 9)", "f('abb', 'b')", True, False),
        ("s.find(t, 5, 2)", "f('abb', 'b')", True, False),
        ("s[::-1]", "f('ab')", False, False),
        ("[1, 2].index(2)", "f('')", False, False),
        ("2 in [1, 2]", "f('')", False, False),
    ],
)
def test_what_is_searched_and_what_is_edited(body: str, call: str, searched: bool, edited: bool) -> None:
    made = operations(body, call)
    assert (any(map(is_search, made)), any(map(is_edit, made))) == (searched, edited)


@pytest.mark.parametrize("text", [Operand("str", 900, "a" * 400), Operand("str", 1, "\ud800"), Operand("str", 3, None)])
def test_a_text_that_is_not_known_whole_asks_nothing(text: Operand) -> None:
    one = Operand("str", 1, "a")
    assert not list(questions(RecordedOperation("method", "find", (text, one), Operand("int", -1, 0))))
    assert not list(questions(RecordedOperation("operator", "In", (one, text), Operand("bool", -1, None))))


def test_no_steps_carry_nothing() -> None:
    assert step_hazards([], ENGINE).shape == (0, len(HAZARDS))
