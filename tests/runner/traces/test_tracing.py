"""A call is traced twice: what differs, fails or exceeds a limit is named."""

from __future__ import annotations

import pytest

from corpora import Case
from runner.traces.trace_request import DroppedRowError, TraceRequest
from runner.traces.tracing import trace_twice

REQUEST = TraceRequest("", max_frames=200, seconds=5)


@pytest.mark.parametrize(
    ("source", "reason", "detail"),
    [
        pytest.param("def f():\n    return list({'a', 'b', 'c', 'd'})", "nondeterministic", "hash order", id="hashes"),
        pytest.param("import time\ndef f():\n    return time.time()", "nondeterministic", "time", id="a clock"),
        pytest.param(
            "def f():\n    x = hash('a') % 1000\n    return 1",
            "nondeterministic",
            "the result is equal, but states on the way differ",
            id="a state on the way",
        ),
        pytest.param("def f():\n    return id(object()) % 997", "nondeterministic", "identity", id="an address"),
        pytest.param("def f():\n    while True:\n        pass", "more frames than --max-frames", "", id="a loop"),
        pytest.param("def f():\n    return 'x' * 10**6", "a value that is too long to be shown", "", id="long"),
        pytest.param("raise ValueError('no')", "the program does not load", "ValueError: no", id="loading"),
        pytest.param("def g():\n    return 1", "the call fails before the program is entered", "NameError", id="name"),
        pytest.param(
            "import os\ndef f():\n    os._exit(3)", "the process of the program crashed", "status 3", id="exit"
        ),
    ],
)
def test_a_call_without_a_usable_trace_is_named(source: str, reason: str, detail: str) -> None:
    with pytest.raises(DroppedRowError) as raised:
        trace_twice(Case("a", source, "f()"), REQUEST)
    assert raised.value.reason == reason
    assert detail in raised.value.detail


def test_an_exception_of_the_program_is_a_trace() -> None:
    trace = trace_twice(Case("a", "def f():\n    return 1 / 0", "f()"), REQUEST)
    assert trace.outcome.exception == ("ZeroDivisionError", "division by zero")


def test_seeded_randomness_is_deterministic() -> None:
    source = "import random\ndef f():\n    return random.Random(3).random()"
    assert trace_twice(Case("a", source, "f()"), REQUEST).outcome.status == "ok"
