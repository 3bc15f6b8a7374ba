from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyze.gold_trace.trace import trace_call, trace_in_process
from lab.short_functions.drills import DRILLS, drill
from tests.samples import example_counts


@pytest.mark.parametrize("kind", DRILLS)
@example_counts(70, 200)
def test_a_drill_raises_nothing_and_runs_to_its_end(kind: str, examples: int) -> None:
    @settings(deadline=None, max_examples=examples)
    @given(st.integers(0, 10**6))
    def check(seed: int) -> None:
        frames = trace_in_process(drill(Random(seed), kind).context, max_frames=200)
        assert frames[-1].event == "return"
        assert frames[-1].value is not None
        assert all(frame.event != "exception" for frame in frames)

    check()


@pytest.mark.parametrize("kind", DRILLS)
def test_the_trace_made_here_is_the_one_that_the_sandbox_gives(kind: str) -> None:
    for seed in range(3):
        case = drill(Random(f"{kind} {seed}"), kind)
        real = trace_call(case.source, case.call)
        assert real.outcome.status == "ok"
        assert tuple(trace_in_process(case.context)) == real.frames


@pytest.mark.parametrize("kind", DRILLS)
def test_a_drill_is_a_function_of_the_seed(kind: str) -> None:
    assert drill(Random(7), kind) == drill(Random(7), kind)
    assert len({drill(Random(seed), kind).context for seed in range(20)}) > 15


def test_a_list_of_characters_is_never_emptied() -> None:
    """`chars = chars[1:]` twice on one letter left nothing to change, and `chars[0] = 'k'` raised."""
    short = [case for seed in range(2000) if len((case := drill(Random(seed), "characters")).call) == len("f('k')")]
    assert any("[1:]" in case.source for case in short)
    for case in short:
        assert trace_in_process(case.context)[-1].value is not None
