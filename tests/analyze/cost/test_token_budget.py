"""What a trace costs: every token is counted once, and none beyond what is asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyze import default_tokenizer, frames_to_ids
from analyze.cost.token_budget import budget, trace_budget
from analyze.gold_trace.frames import EVENTS, Frame
from analyze.gold_trace.trace import trace_call
from analyze.tokens.tokenizer import Tokenizer

LOOP = "def f(text):\n    n = 0\n    for c in text:\n        n += 1\n    return n"
TRACE = trace_call(LOOP, "f('abracadabra' * 30)")
SHOWN = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
STATES = st.lists(st.tuples(SHOWN, SHOWN), max_size=4, unique_by=lambda pair: pair[0]).map(tuple)
FRAMES = st.one_of(
    st.builds(Frame, st.sampled_from(EVENTS[:2]), SHOWN, STATES),
    st.builds(Frame, st.sampled_from(EVENTS[2:]), SHOWN, st.none(), SHOWN),
)


def test_nothing_costs_nothing_and_fits() -> None:
    assert budget(()).fits(0)


def test_the_frames_add_up_to_the_trace() -> None:
    found = budget(TRACE.frames)
    assert sum(found.frames) == found.total == TRACE.tokens
    assert found.fits(found.total) and not found.fits(found.total - 1)


@given(st.lists(FRAMES, max_size=5))
def test_every_token_is_counted_once(frames: list[Frame]) -> None:
    found = budget(frames, lines=range(len(frames)))
    parts = dict(found.parts)
    assert found.total == len(frames_to_ids(frames, default_tokenizer())) == sum(found.frames)
    assert found.total == sum(parts.values()) == sum(cost for _, cost in found.lines)
    assert parts.get("states", 0) == sum(cost for _, cost in found.variables)


def test_a_line_costs_what_its_frames_cost() -> None:
    costs = dict(trace_budget(TRACE).lines)
    texts = TRACE.context.splitlines()
    assert sorted(texts[line - 1].strip() for line in list(costs)[:2] if line) == ["for c in text:", "n += 1"]
    alike = trace_call("def f(x):\n    x += 1\n    x += 1\n    return x", "f(1)")
    assert {2, 3} <= set(dict(trace_budget(alike).lines))


def test_the_most_expensive_variable_comes_first() -> None:
    costs = dict(budget(TRACE.frames).variables)
    assert set(costs) == {"text", "c", "n", ""}
    assert list(costs.values()) == sorted(costs.values(), reverse=True)


class Counting:
    """A tokenizer that says how much it was given."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer, self.given = tokenizer, 0

    def encode(self, text: str) -> list[int]:
        self.given += len(text)
        return list(self.tokenizer.encode(text))

    def __getattr__(self, name: str) -> object:
        return getattr(self.tokenizer, name)


@pytest.mark.parametrize("call", ["f('abracadabra' * 300)", "f('xyz' * 500_000)"])
def test_what_is_not_asked_is_not_counted(call: str) -> None:
    source = LOOP if "abra" in call else "def f(text):\n    return text"
    frames = trace_call(source, call, max_value=2_000_000).frames
    counting = Counting(default_tokenizer())
    found = budget(frames, counting, 1000)  # type: ignore[arg-type]
    assert not found.whole and found.least > 1000 and not found.fits(1000)
    assert counting.given < 20_000 < sum(len(frame.text) for frame in frames)
    with pytest.raises(ValueError, match="tokens were counted"):
        found.fits(10**9)


@pytest.mark.medium
@pytest.mark.usefixtures("short_endless_loops")
def test_a_trace_that_was_cut_short_fits_nothing() -> None:
    endless = trace_call("def f():\n    while True:\n        pass", "f()", max_frames=50)
    found = trace_budget(endless)
    assert not found.whole and not found.fits(found.total - 1)
