"""The true trace: rules of the format, one by one."""

import pytest

from analyze.frames import frames_to_text
from analyze.trace import trace_in_process
from analyze.tracer import TraceCutError
from corpora.program import trace_context


def trace(source: str, call: str, grading: str = "return") -> str:
    text = frames_to_text(trace_in_process(trace_context(source, call, grading)))  # type: ignore[arg-type]
    for token in ("call", "line", "return", "exception"):
        text = text.replace(f"<|{token}_sep|>", f"{token} ")
    return (
        text.replace("<|action_sep|>", " | ")
        .replace("\n<|arg_sep|>", " | ")
        .replace("\n<|frame_sep|>", "\n")
        .replace("<|frame_sep|>", "\n")
    )


def test_a_trace_over_the_cap_is_not_given_as_whole() -> None:
    with pytest.raises(TraceCutError, match="max_frames"):
        trace_in_process(trace_context("def f():\n    while True: pass", "f()"), max_frames=50)


def test_states_show_what_changed_and_the_first_line_after_a_return_shows_all() -> None:
    assert trace("def g(y):\n    return y\ndef f(x):\n    z = g(x)\n    z += 0\n    return z", "f(1)") == (
        "call {} | def main(): # << START_OF_TRACE\n"
        "line {} |     return f(1)\n"
        'call {"x": "1"} | def f(x):\n'
        'line {"x": ".."} |     z = g(x)\n'
        'call {"y": "1"} | def g(y):\n'
        'line {"y": ".."} |     return y\n'
        'return  |     return y | "1"\n'
        'line {"x": "1", "z": "1"} |     z += 0\n'
        'line {"x": "..", "z": ".."} |     return z\n'
        'return  |     return z | "1"\n'
        'return  |     return f(1) | "1"\n'
    )


def test_a_comprehension_is_a_scope_of_its_own() -> None:
    assert trace("def f(w):\n    return [i + w for i in range(1)]", "f(5)").splitlines()[4:9] == [
        'call {".0": "<range_iterator object>", "w": "5"} |     return [i + w for i in range(1)]',
        'line {".0": "..", "w": ".."} |     return [i + w for i in range(1)]',
        'line {".0": "..", "w": "..", "i": "0"} |     return [i + w for i in range(1)]',
        'return  |     return [i + w for i in range(1)] | "[5]"',
        'return  |     return [i + w for i in range(1)] | "[5]"',
    ]
