"""Tracing, compared with a bare `sys.settrace` function that takes the repr of all locals at each event."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Iterator
from functools import partial
from types import CodeType, FrameType
from typing import Any

from measured_row import Row, compare

from analyze.gold_trace.python310 import compile_as_310
from analyze.gold_trace.tracer import Record, Recorder, collect_into
from corpora import load
from corpora.program import trace_context

FILENAME = "<bench>"
ROUNDS = 7
GOAL = 2.0
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
Entry = Callable[[], object]


def rows() -> Iterator[Row]:
    """Yield a row for each kind of program."""
    for name, text in PROGRAMS.items():
        code = compile_as_310(text, FILENAME)
        ours, floor = partial(_run, ours_traced, code), partial(_run, bare, code)
        yield compare(f"trace, {name}", ours, "bare trace function", floor, GOAL, ROUNDS)


def bare(entry: Entry) -> None:
    """Trace with the minimum work of any tracer that records values."""
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


def ours_traced(entry: Entry) -> None:
    """Trace with this project's recorder."""
    records: list[Record] = []
    Recorder(collect_into(records), filename=FILENAME).run(entry)


def _run(way: Callable[[Entry], None], code: CodeType) -> None:
    namespace: dict[str, Any] = {"__name__": "program"}
    exec(code, namespace)
    with contextlib.redirect_stdout(io.StringIO()):
        way(namespace["main"])
