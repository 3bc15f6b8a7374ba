"""An answer is given up only where nothing that follows can make it right."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyze import default_tokenizer, diagnose, frames_to_ids, trace_call
from analyze.diagnosis.early_stopping import AnswerMonitor
from analyze.diagnosis.parse_output import is_malformed_prefix, parse_text
from analyze.gold_trace.trace import Trace

TOKENIZER = default_tokenizer()
SOURCE = "def f(x):\n    y = x + 'é'\n    for c in y:\n        x = c\n    return [x, y]\n"
TRACE = trace_call(SOURCE, "f('a')")
RAISES = trace_call("def f(x):\n    return x[3]\n", "f('ab')")
STATE = trace_call("def f(x):\n    y = x\n    x = y\n", "f(1)", "state")
AGAIN = trace_call(
    "n = [0]\ndef f(x):\n    n[0] += 1\n    return g() + 1 if n[0] == 1 else x\ndef g():\n    return f(5)\n", "f(5)"
)
END = TOKENIZER.special_id("<|end_of_text|>")


def closed_at(trace: Trace, ids: list[int]) -> int | None:
    """After how many tokens an answer is given up."""
    outlook = AnswerMonitor(trace, TOKENIZER)
    return next((end for end in range(1, len(ids) + 1) if outlook.can_stop(ids[:end])), None)


def encode(text: str) -> list[int]:
    """With the special tokens that it spells."""
    ids: list[int] = []
    special = TOKENIZER.special_tokens
    for piece in re.split(r"(<\|\w+\|>)", text):
        ids += [special[piece]] if piece in special else TOKENIZER.encode(piece)
    return ids


@pytest.mark.parametrize(
    "trace",
    [TRACE, RAISES, STATE, AGAIN],
    ids=["returns", "raises", "graded by state", "a function makes the same call"],
)
@pytest.mark.parametrize("behind", ["", "<|end_of_text|>", "\n\nNow let us analyze the trace.", "<|call_sep|>{}{}{}"])
def test_a_right_answer_is_never_given_up(trace: Trace, behind: str) -> None:
    assert closed_at(trace, [*frames_to_ids(trace.frames, TOKENIZER), *encode(behind)]) is None


def test_a_wrong_state_alone_decides_nothing() -> None:
    text = TRACE.text.replace('"x": "\'a\'"', '"x": "\'Z\'"')
    assert text != TRACE.text and closed_at(TRACE, encode(text)) is None
    assert diagnose(TRACE, encode(text), TOKENIZER).correct


@pytest.mark.parametrize("cut", ['{"a": "\\', '{"a": "\\\\', '{"a": "\\u00'])
def test_a_state_that_is_cut_within_an_escape_is_cut_and_not_malformed(cut: str) -> None:
    frame = "<|line_sep|>" + cut
    assert not is_malformed_prefix(encode(frame), TOKENIZER) and parse_text(frame).ending == "cut"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<|call_sep|>{}def", "no object"),
        ('<|call_sep|>{"a": 1', "no string"),
        ("<|call_sep|>{}<|action_sep|>def main():\n<|action_sep|>", "two actions"),
        ("<|call_sep|><|frame_sep|>", "closed without a state"),
        ("<|return_sep|>{}<|action_sep|>", "a state on a return"),
        ("<|return_sep|><|action_sep|>    return f('a')\n<|arg_sep|>\"1\"<|frame_sep|>", "another result"),
        ("The answer is 3.<|frame_sep|>", "prose"),
    ],
)
def test_what_can_no_longer_be_right_is_given_up_at_once(text: str, why: str) -> None:
    ids = encode(text)
    assert closed_at(TRACE, [*ids, *encode(" and so on" * 20)]) in range(1, len(ids) + 17), why


@given(seed=st.integers(0, 10_000), cuts=st.integers(0, 3))
def test_no_answer_that_turns_out_right_was_given_up(seed: int, cuts: int) -> None:
    """True traces with tokens exchanged, left out or put in; whatever is graded right was waited for."""
    draw = Random(seed)
    ids = frames_to_ids(TRACE.frames, TOKENIZER)
    for _ in range(cuts):
        place = draw.randrange(len(ids))
        ids[place : place + draw.randint(0, 2)] = draw.choices(ids, k=draw.randint(0, 2))
    ids.append(END)
    if diagnose(TRACE, ids, TOKENIZER).correct:
        assert closed_at(TRACE, ids) is None


@given(seed=st.integers(0, 10_000))
def test_an_answer_that_was_given_up_stays_wrong_with_the_true_trace_behind_it(seed: int) -> None:
    draw = Random(seed)
    ids = frames_to_ids(TRACE.frames, TOKENIZER)
    place = draw.randrange(len(ids))
    ids[place : place + draw.randint(0, 2)] = draw.choices(ids, k=draw.randint(0, 2))
    end = closed_at(TRACE, ids)
    if end is not None:
        for resumed in draw.sample(range(len(ids)), 3):
            longer = [*ids[:end], *frames_to_ids(TRACE.frames, TOKENIZER)[resumed:], END]
            assert not diagnose(TRACE, longer, TOKENIZER).correct
