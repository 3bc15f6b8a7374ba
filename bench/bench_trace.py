"""Cost of tracing: the tracer of this project relative to a plain `sys.settrace` function.

The plain function takes the repr of all locals at each event. Both run the same programs in this process, alternating,
and the ratio of the best processor times is printed. The target is 2.

Run: python bench/bench_trace.py
"""

from __future__ import annotations

import contextlib
import io
import sys
import time
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

from analyze.gold_trace.python310 import compile_as_310
from analyze.gold_trace.trace import trace_in_process
from analyze.gold_trace.tracer import Record, Recorder, collect_into
from corpora import load
from corpora.program import trace_context

FILENAME = "<bench>"
ROUNDS = 7
GROWING = """
def f(n):
    seen = []
    table = {}
    for i in range(n):
        seen.append(i * i)
        table[str(i)] = seen[-1]
    return sum(v for v in table.values())
"""
CALLS = """
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
"""
STRINGS = """
def f(text):
    out = ''
    for c in text:
        if c.isalpha():
            out = c.upper() + out
        else:
            out += '_'
    return [w for w in out.split('_') if w]
"""
PROGRAMS = {
    "growing containers": trace_context(GROWING, "f(120)"),
    "many calls": trace_context(CALLS, "fib(13)"),
    "strings": trace_context(STRINGS, "f('spell it out, one by one. ' * 12)"),
    "S5, length 64": next(iter(load("permutations", n=5, length=64, size=1))).context,
}


def bare(entry: Callable[[], object]) -> None:
    """The reference: the minimum work of any tracer that records values."""
    seen = []

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != FILENAME:
            return None
        seen.append((event, frame.f_lineno, {name: repr(value) for name, value in frame.f_locals.items()}))
        return trace

    sys.settrace(trace)
    try:
        entry()
    finally:
        sys.settrace(None)


def ours(entry: Callable[[], object]) -> None:
    records: list[Record] = []
    Recorder(collect_into(records), filename=FILENAME).run(entry)


def seconds(way: Callable[[Callable[[], object]], None], code: CodeType) -> float:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    exec(code, namespace)
    with contextlib.redirect_stdout(io.StringIO()):
        start = time.process_time()
        way(namespace["main"])
        return time.process_time() - start


def main() -> int:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    print(f"Python {version}: our tracer / bare tracer, processor time, best of {ROUNDS}")
    worst = 0.0
    for name, text in PROGRAMS.items():
        code = compile_as_310(text, FILENAME)
        times = [(seconds(ours, code), seconds(bare, code)) for _ in range(ROUNDS)]
        mine, floor = (min(column) for column in zip(*times, strict=True))
        worst = max(worst, mine / floor)
        print(f"  {name:20} {mine * 1000:7.2f} ms / {floor * 1000:7.2f} ms = {mine / floor:.2f}")
    print(f"  worst ratio {worst:.2f}")
    text = trace_context("def f(a, b):\n    y = a\n    for i in range(b):\n        y += y * i\n    return y", "f(1, 3)")
    start = time.process_time()
    for _ in range(300):
        trace_in_process(text)
    print(f"  trace_in_process: {300 / (time.process_time() - start):.0f} short programs a second, compiling included")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
