"""The true trace: rules of the format, one by one."""

import builtins
import re
import sys

import pytest

from analyze.gold_trace.frames import Frame, count_tokens, frames_to_ids, frames_to_text
from analyze.gold_trace.trace import physical_lines, trace_call, trace_in_process
from analyze.gold_trace.tracer import TraceCutError
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer
from corpora.nondeterminism import OTHER_ENVIRONMENT, OTHER_HASH_SEED
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
        trace_in_process(trace_context("def f():\n    while True:\n        x = 1", "f()"), max_frames=50)


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


def test_a_repr_that_raises_is_shown_as_a_plain_object() -> None:
    source = (
        "class P:\n    def __init__(self, x):\n        self.x = x\n    def __repr__(self):\n        return self.x\n"
    )
    assert '"self": "<program.P object>"' in trace(source + "def f():\n    return P('a').x", "f()")


def test_a_repr_that_exits_does_not_end_the_trace() -> None:
    source = "class P:\n    def __repr__(self):\n        raise SystemExit\ndef f():\n    p = P()\n    return 1"
    assert trace(source, "f()").endswith('| "1"\n')


def test_all_digits_of_a_long_int_are_shown_and_the_limit_stays() -> None:
    shown_text = trace("def f():\n    x = 10 ** 5000\n    return len([x])", "f()")
    assert "0" * 5000 in shown_text
    assert "ValueError" in trace("def f():\n    return str(10 ** 5000)", "f()")


def test_a_string_that_speaks_of_an_address_is_left_alone() -> None:
    assert '"s": "\'it is at 0xbeef\'"' in trace("def f(s):\n    return 1", "f('it is at 0xbeef')")


WEAK_PROXY = "<weakproxy to type>" if sys.version_info < (3, 13) else "<weakproxy; to 'type'>"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("hashlib.md5(b'')", "<md5 _hashlib.HASH object>"),
        ("weakref.ref(weakref.WeakSet)", "<weakref; to 'type' (WeakSet)>"),
        ("weakref.proxy(weakref.WeakSet)", WEAK_PROXY),
    ],
)
def test_no_form_of_an_address_is_shown(value: str, shown: str) -> None:
    source = f"import hashlib\nimport weakref\ndef f():\n    x = {value}\n    return len([x])"
    assert f'"x": "{shown}"' in trace(source, "f()")


def test_a_program_that_sets_its_own_trace_function_is_cut_there_and_says_so() -> None:
    source = "import sys\ndef f():\n    sys.settrace(None)\n    x = 1\n    return x"
    with pytest.raises(TraceCutError, match="replaced the trace function"):
        trace_in_process(trace_context(source, "f()"))


@pytest.mark.parametrize("way", ["f(n + 1)", "[f(n + 1) for _ in range(1)]"])
def test_recursion_ends_at_3_10s_depth_and_the_unwinding_is_traced(way: str) -> None:
    frames = trace_in_process(trace_context(f"def f(n):\n    return {way}", "f(0)"))
    assert sum(frame.event == "call" for frame in frames) == 999
    assert frames[-2].value == (
        "(<class 'RecursionError'>, RecursionError('maximum recursion depth exceeded'), <traceback object>)"
    )


def test_the_interpreter_is_left_as_it_was() -> None:
    before = sys.gettrace(), sys.getrecursionlimit(), builtins.sum
    trace("def f():\n    return sum([0.1] * 10)", "f()")
    assert (sys.gettrace(), sys.getrecursionlimit(), builtins.sum) == before


def test_floats_are_summed_one_by_one_as_before_3_12() -> None:
    assert trace("def f():\n    return sum([0.1] * 10)", "f()").endswith('| "0.9999999999999999"\n')


def test_a_line_ends_where_python_ends_it() -> None:
    assert physical_lines("a = '\u2028'\r\nb\x0c = 1") == ["a = '\u2028'\n", "b\x0c = 1\n"]


def test_a_module_is_shown_with_3_10s_path() -> None:
    assert re.search(r"<module 'json' from '/usr/local/lib/python3\.10/json/__init__\.py'>", trace(MODULES, "f()"))


MODULES = "def f():\n    import json\n    return 1"


def test_what_a_program_does_is_in_the_outcome_and_never_raised() -> None:
    assert trace_call("def f(:", "f()").outcome.status == "raised"
    raised = trace_call("def f():\n    raise KeyError('k')", "f()")
    assert (raised.outcome.status, raised.outcome.exception) == ("raised", ("KeyError", "'k'"))
    assert raised.frames[-1].value == "None"


def test_a_long_trace_is_cut_at_the_cap_and_says_so() -> None:
    source = "def f():\n    for i in range(1000):\n        pass\n    return i"
    cut = trace_call(source, "f()", max_frames=50)
    assert (len(cut.frames), cut.cut, cut.outcome.value) == (50, "max_frames", "999")
    assert trace_call(source, "f()", max_bytes=20).cut == "max_bytes"


def test_a_program_can_end_at_the_limit() -> None:
    endless = trace_call("def f():\n    while True:\n        pass", "f()", max_frames=50, stop_at_cut=True)
    assert (len(endless.frames), endless.cut, endless.outcome.status) == (50, "max_frames", "raised")


def test_a_trace_in_another_environment_shows_what_depends_on_it() -> None:
    source = "import time\ndef f(x):\n    return x and time.time()"
    for call, same in (("f(0)", True), ("f(1)", False)):
        again = trace_call(source, call, environment=OTHER_ENVIRONMENT, hash_seed=OTHER_HASH_SEED)
        assert (trace_call(source, call).frames == again.frames) is same


def test_a_trace_of_exactly_the_cap_is_whole() -> None:
    source, call = "def f():\n    for i in range(4):\n        pass\n    return i", "f()"
    whole = trace_call(source, call)
    for frames in (0, 1, 3, 8, len(whole.frames) - 1):
        cut = trace_call(source, call, max_frames=frames)
        assert (cut.frames, cut.cut) == (whole.frames[:frames], "max_frames")
    assert trace_call(source, call, max_frames=len(whole.frames)) == whole


SHOWN_LONG = {
    "a variable": "def f(n):\n    a = 1\n    s = 'x' * n\n    return a",
    "a variable that changes": "def f(n):\n    s = ''\n    for i in range(n):\n        s += 'xyz'\n    return 1",
    "a repr of the program's own": (
        "class A:\n    def __init__(self, n):\n        self.n = n\n    def __repr__(self):\n"
        "        return 'x' * self.n\ndef f(n):\n    a = A(n)\n    return 1"
    ),
    "a result": "def f(n):\n    return 'x' * n",
    "an exception": "def f(n):\n    try:\n        raise ValueError('x' * n)\n    except ValueError:\n        return 1",
}


@pytest.mark.parametrize("source", SHOWN_LONG.values(), ids=SHOWN_LONG)
def test_a_trace_ends_before_a_value_that_is_too_long_and_says_so(source: str) -> None:
    whole = trace_call(source, "f(1000)", max_value=1_000_000)
    assert whole.cut is None and whole.tokens is not None
    cut = trace_call(source, "f(1000)", max_value=999)
    assert (cut.cut, cut.tokens) == ("max_value", None)
    assert 0 < len(cut.frames) < len(whole.frames)
    assert cut.frames == whole.frames[: len(cut.frames)]
    assert (cut.outcome.status, cut.outcome.value) == (whole.outcome.status, whole.outcome.value)


def test_a_value_of_exactly_the_cap_is_shown() -> None:
    source = "def f(n):\n    s = 'x' * n\n    return 1"
    assert trace_call(source, "f(98)", max_value=100).cut is None
    assert trace_call(source, "f(99)", max_value=100).cut == "max_value"
    assert trace_call(source, "f(70_000)").cut == "max_value"


def test_states_that_grow_large_are_cut_before_they_fill_the_memory() -> None:
    source = "def f():\n    s = 'a' * 2 ** 15\n    for i in range(10_000):\n        s = s[1:] + 'b'"
    cut = trace_call(source, "f()", max_bytes=8 * 2**20)
    assert (cut.cut, cut.outcome.status) == ("max_bytes", "ok")
    assert 8 * 2**20 < sum(len(text or "") for frame in cut.frames for _, text in frame.state or ()) < 16 * 2**20


@pytest.mark.medium
def test_a_program_without_end_has_the_frames_up_to_the_timeout() -> None:
    endless = trace_call("def f():\n    while True: pass", "f()", seconds=0.3)
    assert (endless.outcome.status, endless.cut, endless.cut_reason) == (
        "timeout",
        "timeout",
        "it exceeds the time limit",
    )


@pytest.mark.medium
@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        ({"max_frames": 100}, "it exceeds the limit of 100 frames (max_frames)"),
        ({"max_bytes": 1000}, "it exceeds the limit on bytes (max_bytes)"),
        ({"max_value": 3}, "the next frame has a value that exceeds the limit on characters (max_value)"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_trace_of_a_program_without_end_names_the_limit_that_cut_it(limit: dict[str, int], reason: str) -> None:
    counting = "def f():\n    n = 0\n    while True:\n        n += 1"
    endless = trace_call(counting, "f()", seconds=0.5, **limit)  # type: ignore[arg-type]
    assert (endless.outcome.status, endless.cut, endless.cut_reason) == ("timeout", next(iter(limit)), reason)


def test_a_value_that_comes_back_after_another_or_after_a_del_is_shown_again() -> None:
    source = "def f():\n    x = 1\n    x = []\n    x = 1\n    del x\n    x = 1\n    y = x\n    return y"
    states = [frame.state for frame in trace_call(source, "f()").frames if frame.event == "line"][2:]
    assert [dict(state or ()).get("x") for state in states] == ["1", "[]", "1", None, "1", ".."]


def test_tokens_are_counted_no_further_than_asked() -> None:
    trace = trace_call("def f(n):\n    for i in range(n):\n        pass", "f(9)")
    assert trace.count_tokens(default_tokenizer()) == len(frames_to_ids(trace.frames, default_tokenizer()))
    assert trace.tokens is not None
    assert trace.count_tokens(default_tokenizer(), trace.tokens) == trace.tokens
    assert trace.count_tokens(default_tokenizer(), trace.tokens - 1) is None


def test_a_text_far_beyond_the_limit_is_not_tokenized(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = Frame("line", "x\n", (("a", "1" * 100_000),))
    monkeypatch.setattr(Tokenizer, "encode", lambda *_: pytest.fail("tokenized"))
    assert count_tokens([frame], default_tokenizer(), 100) is None
