"""A written-out value in place of "..", and the other way round, in the states of forced predictions."""

import json

import pytest

from analyze import trace_call
from analyze.diagnosis.predictions import frame_parts, score_predictions
from analyze.diagnosis.state_notation import is_same_state
from analyze.tokens.tokenizer import default_tokenizer

TOKENIZER = default_tokenizer()
TRACE = trace_call("def f(text, n):\n    x = [n]\n    return x\n", "f('abc', 7)")
NUMBER = next(at for at, frame in enumerate(TRACE.frames) if dict(frame.state or ()).get("x"))
STATE = next(part for part in frame_parts(NUMBER, TRACE.frames[NUMBER], TOKENIZER) if part.kind == "state")


def test_the_state_has_unchanged_values() -> None:
    assert dict(TRACE.frames[NUMBER].state or ()) == {"text": "..", "n": "..", "x": "[7]"}


def choice(true: str, other: str) -> tuple[int, ...]:
    """The state's tokens with the first that begins with `true` replaced by the first token of `other`."""
    texts = [TOKENIZER.decode([token]) for token in STATE.ids]
    place = next(at for at, text in enumerate(texts) if text.startswith(true))
    return (*STATE.ids[:place], TOKENIZER.encode(other)[0], *STATE.ids[place + 1 :])


@pytest.mark.parametrize(
    ("written", "right"),
    [
        pytest.param(json.dumps("'abc'"), True, id="the value written out"),
        pytest.param(json.dumps("'xbc'"), True, id="another string: its first token does not tell"),
        pytest.param(json.dumps("[1]"), False, id="a value of another type"),
    ],
)
def test_a_value_written_out_is_the_same_state_if_it_is_the_value(written: str, right: bool) -> None:
    said = choice(' "..', " " + written)
    assert said != STATE.ids
    assert is_same_state(STATE.ids, said, TRACE.frames, NUMBER, TOKENIZER) is right


def test_an_unchanged_mark_in_place_of_a_new_value_is_another_state() -> None:
    assert not is_same_state(STATE.ids, choice(' "[', ' ".."'), TRACE.frames, NUMBER, TOKENIZER)


def test_a_state_that_does_not_end_is_another_state() -> None:
    assert not is_same_state(STATE.ids, STATE.ids[:-1], TRACE.frames, NUMBER, TOKENIZER)
    assert not is_same_state(STATE.ids, (*STATE.ids[:-1], STATE.ids[0]), TRACE.frames, NUMBER, TOKENIZER)


def test_the_scores_count_such_a_state_as_right() -> None:
    ids = [
        token
        for number, frame in enumerate(TRACE.frames)
        for part in frame_parts(number, frame, TOKENIZER)
        for token in (choice(' "..', " \"'abc") if part == STATE else part.ids)
    ]
    found = score_predictions(TRACE, ids, TOKENIZER)
    assert found.wrong == () and found.correct
