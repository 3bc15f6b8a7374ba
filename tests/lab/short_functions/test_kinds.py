from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyze.gold_trace.trace import trace_call, trace_in_process
from lab.short_functions.kinds import KINDS, short_function
from lab.short_functions.strings import MAX_LENGTH, WORDS
from tests.samples import example_counts


@pytest.mark.parametrize("kind", KINDS)
@example_counts(50, 100)
def test_a_short_function_runs_to_its_end_in_a_short_trace(kind: str, examples: int) -> None:
    @settings(deadline=None, max_examples=examples)
    @given(st.integers(0, 10**6))
    def check(seed: int) -> None:
        frames = trace_in_process(short_function(Random(seed), kind).context, max_frames=200)
        assert frames[-1].event == "return"
        assert frames[-1].value is not None
        assert kind == "caught exception" or all(frame.event != "exception" for frame in frames)

    check()


@pytest.mark.parametrize("kind", KINDS)
def test_the_trace_made_here_is_the_one_that_the_sandbox_gives(kind: str) -> None:
    for seed in range(5):
        case = short_function(Random(f"{kind} {seed}"), kind)
        real = trace_call(case.source, case.call)
        assert real.outcome.status == "ok"
        assert tuple(trace_in_process(case.context)) == real.frames


@pytest.mark.parametrize("kind", KINDS)
def test_a_short_function_is_a_function_of_the_seed(kind: str) -> None:
    assert short_function(Random(7), kind) == short_function(Random(7), kind)
    assert len({short_function(Random(seed), kind).context for seed in range(20)}) > 10


def test_about_half_of_the_exceptions_are_raised() -> None:
    traces = [trace_in_process(short_function(Random(seed), "caught exception").context) for seed in range(200)]
    raised = sum(any(frame.event == "exception" for frame in frames) for frames in traces)
    assert 50 < raised < 150


def test_two_functions_call_each_other_some_of_the_time() -> None:
    sources = [short_function(Random(seed), "two functions").source for seed in range(100)]
    both = [source for source in sources if "f(" in source.partition("\n\n")[0]]
    assert 20 < len(both) < 80


@pytest.mark.parametrize(
    "shown",
    [".replace(", ".split(", ".join(", ".find(", ".strip(", ".upper()", "[::-1]", " in ", " not in ", ".count("],
)
def test_string_methods_of_every_kind_come(shown: str) -> None:
    assert any(shown in short_function(Random(seed), "string method").source for seed in range(500))


def test_texts_are_words_and_random_letters_of_twelve_characters_at_most() -> None:
    values = [short_function(Random(seed), "string method").call[3:-2] for seed in range(500)]
    assert max(map(len, values)) == MAX_LENGTH
    assert 100 < sum(value in WORDS for value in values) < 400


def test_words_are_short_and_come_once() -> None:
    assert len(set(WORDS)) == len(WORDS)
    assert all(word.isalpha() and word.islower() and len(word) <= MAX_LENGTH for word in WORDS)
