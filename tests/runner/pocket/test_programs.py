from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyze.trace import trace_in_process
from runner.pocket.programs import BODIES, short_function


@pytest.mark.parametrize("kind", BODIES)
@settings(deadline=None, max_examples=50)
@given(seed=st.integers(0, 10**6))
def test_a_short_function_runs_to_its_end_in_a_short_trace(kind: str, seed: int) -> None:
    frames = trace_in_process(short_function(Random(seed), kind).context, max_frames=200)
    assert frames[-1].event == "return"
    assert frames[-1].value is not None
    assert all(frame.event != "exception" for frame in frames)


@pytest.mark.parametrize("kind", BODIES)
def test_a_short_function_is_a_function_of_the_seed(kind: str) -> None:
    assert short_function(Random(7), kind) == short_function(Random(7), kind)
    assert len({short_function(Random(seed), kind).context for seed in range(20)}) > 10


def test_some_straight_lines_are_spelled_out_into_temporaries() -> None:
    sources = [short_function(Random(seed), "straight line").source for seed in range(200)]
    assert any("_t0 = " in source for source in sources)
    assert any("(" in source.partition("\n")[2] for source in sources)
