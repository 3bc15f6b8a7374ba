"""What a trace costs."""

from analyze.budget import budget
from analyze.trace import trace_call

TRACE = trace_call("def f(text):\n    n = 0\n    for c in text:\n        n += 1\n    return n", "f('abracadabra' * 30)")


def test_nothing_costs_nothing_and_fits() -> None:
    assert budget(()).fits(0)
    assert budget(()).cut_at(0) is None


def test_the_frames_add_up_to_the_trace() -> None:
    found = budget(TRACE.frames)
    assert sum(found.frames) == found.total == TRACE.tokens


def test_the_first_frame_beyond_the_budget_is_found() -> None:
    found = budget(TRACE.frames)
    assert found.cut_at(found.frames[0] - 1) == 0
    assert found.cut_at(sum(found.frames[:3])) == 3
    assert found.cut_at(found.total) is None
    assert not found.fits(found.total - 1)


def test_the_most_expensive_variable_comes_first() -> None:
    costs = dict(budget(TRACE.frames).variables)
    assert next(iter(costs)) in {"text", "c", "n"}
    assert set(costs) == {"text", "c", "n"}
    assert list(costs.values()) == sorted(costs.values(), reverse=True)
