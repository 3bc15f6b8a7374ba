"""The observer that records a program's execution as `sys.settrace` reports it, seen as CPython 3.10 would show it.

It is loaded inside the sandbox's worker, so it needs the standard library only, and emits one line of JSON a frame:
`[event, line number, state or null, value or null]`, then one object that says how the recording ended.
What a state shows, and when a value is "..", are rules 1 to 14 of the CWM trace format (docs/trace.md).
What it does not do: bound time or memory (the sandbox does), or know the program's text (`analyze.trace` adds it).
"""

from __future__ import annotations

import builtins
import json
import sys
from collections.abc import Callable, Mapping
from functools import reduce
from operator import add
from types import CodeType, FrameType
from typing import Any

from analyze.messages import reword
from analyze.python310 import CO_OPTIMIZED, compile_as_310
from analyze.relocate import SINCE_312, SINCE_313, repeated_lines
from analyze.shown import shown

Record = tuple[str, int, dict[str, str] | None, str | None]
"""Event, line number (from 1), state as shown (CALL and LINE), value as shown (RETURN and EXCEPTION)."""

SAME = ".."
_sum = builtins.sum
MAX_FRAMES = 100_000
MAX_BYTES = 64 * 2**20

# Their repr is the program's own text or a number: it neither fails (but for long ints) nor holds an address.
_PLAIN = frozenset({int, float, bool, str, bytes, complex, type(None)})
# What newer interpreters write into the namespace of a class body, and 3.10 does not.
_NEWER_CLASS_NAMES = frozenset(
    {
        "__firstlineno__",
        "__static_attributes__",
        "__classdict__",
        "__classdictcell__",
        "__type_params__",
        ".type_params",
    }
)
IS_312 = SINCE_312 and not SINCE_313
# 3.10's own: `main` is called by the module, so it is the second of the thousand frames.
RECURSION_LIMIT = 1000
# What the trace function, and a `__repr__` it calls, may need beyond.
_HEADROOM = 200


class Tracer:
    """Records every event of the traced source from the entry function down.

    Options: `max_frames` and `max_bytes` (of states and values, in characters) cut a long trace; the last emitted line,
    {"cut": …}, then names the cap (or that the program replaced the trace function), else null.
    """

    def __init__(self, options: Mapping[str, Any], emit: Callable[[str], None]) -> None:
        self._recorder = Recorder(
            lambda record: emit(json.dumps(record)),
            max_frames=int(options.get("max_frames", MAX_FRAMES)),
            max_bytes=int(options.get("max_bytes", MAX_BYTES)),
        )
        self._emit = emit

    def compile(self, source: str, filename: str) -> CodeType:
        """The module's code. Raises SyntaxError where this interpreter does."""
        self._recorder.filename = filename
        return compile_as_310(source, filename)

    def run(self, entry: Callable[[], object]) -> object:
        """Call `entry` while recording; gives and raises what it does."""
        try:
            return self._recorder.run(entry)
        finally:
            self._emit(json.dumps({"cut": self._recorder.cut}))


class TraceCutError(BaseException):
    """The trace is longer than a cap allows; the text names the cap. Not for the traced program to catch."""


class Recorder:
    """The trace function. One Recorder serves one run; `record` receives each frame as it happens.

    After a cut the program runs on unrecorded, or, with `stop_at_cut`, ends with TraceCutError.
    """

    def __init__(
        self,
        record: Callable[[Record], object],
        *,
        filename: str = "",
        max_frames: int = MAX_FRAMES,
        max_bytes: int = MAX_BYTES,
        stop_at_cut: bool = False,
    ) -> None:
        self.filename = filename
        self.stop_at_cut = stop_at_cut
        self.cut: str | None = None
        self.record = record
        self.frames_left = max_frames
        self.bytes_left = max_bytes
        # The activation that showed the last state, if no RETURN came since: only it may show "..".
        self.current: _Activation | None = None
        self._plans: dict[int, _Plan] = {}
        self.depth = 0  # of the traced functions
        self.on_call = self._on_call
        self._limit = 0

    def run(self, entry: Callable[[], object]) -> object:
        """Call `entry` while recording; gives and raises what it does."""
        before, limit, own_sum = sys.gettrace(), sys.getrecursionlimit(), builtins.sum
        self._limit = max(limit, RECURSION_LIMIT + _stack_depth()) + _HEADROOM
        sys.setrecursionlimit(self._limit)
        if SINCE_312:
            builtins.sum = PlainSum()
        sys.settrace(self.on_call)
        try:
            return entry()
        finally:
            if self.cut is None and sys.gettrace() is not self.on_call:
                self.cut = "the program replaced the trace function"
            sys.settrace(before)
            builtins.sum = own_sum
            sys.setrecursionlimit(limit)

    def _on_call(self, frame: FrameType, event: str, argument: object) -> Callable[..., Any] | None:
        code = frame.f_code
        if code.co_filename != self.filename:
            return None
        if self.depth >= RECURSION_LIMIT - 1 and sys.getrecursionlimit() == self._limit:
            frame.f_trace = _Rearm(self.on_call)
            raise RecursionError("maximum recursion depth exceeded")
        self.depth += 1
        local = frame.f_trace
        if local is None:
            plan = self._plans.get(id(code)) or self._planned(code)
            local = _Activation(self, plan).on_event
        # Else a generator is resumed, which comes with the local trace function of its first call.
        self.current = None
        local(frame, event, argument)
        return local

    def _planned(self, code: CodeType) -> _Plan:
        plan = self._plans[id(code)] = _Plan(code)
        return plan

    def emit(self, record: Record, size: int) -> None:
        """Record a frame with this many characters of states and values, or stop where a cap is reached."""
        if self.frames_left and size <= self.bytes_left:
            self.frames_left -= 1
            self.bytes_left -= size
            self.record(record)
        elif self.cut is None:
            self.cut = "max_bytes" if self.frames_left else "max_frames"
            sys.settrace(None)
            if self.stop_at_cut:
                raise TraceCutError(self.cut)


class _Plan:
    """What is the same for all activations of a function. It keeps the code, and with it the code's id, alive."""

    def __init__(self, code: CodeType) -> None:
        self.code = code
        self.is_class = not code.co_flags & CO_OPTIMIZED
        self.cells = code.co_cellvars + code.co_freevars
        self.is_arranged = self.is_class or SINCE_313 or bool(self.cells)
        self.first_line = code.co_firstlineno
        self.repeats = repeated_lines(code) if IS_312 else frozenset()


class _Activation:
    """One activation of a function: its local trace function, and the order in which 3.10 shows its locals.

    CPython up to 3.12 keeps the dictionary behind `f_locals`, so a name stands where it was first bound and moves to
    the end when it is deleted and bound anew; 3.13 makes a new view each time. And 3.10 lists an argument that an
    inner function reads (a cell) after the other locals.
    """

    # The path of every event: written for speed, so it is longer than it would be.
    __slots__ = ("_line", "_names", "_order", "_plan", "_recorder", "_texts", "_values")

    def __init__(self, recorder: Recorder, plan: _Plan) -> None:
        self._recorder = recorder
        self._plan = plan
        self._line = plan.first_line
        self._texts: dict[str, str] = {}
        if plan.is_arranged:
            self._names: list[str] = []
            self._order: list[str] = []

    def on_event(self, frame: FrameType, event: str, argument: Any) -> None:
        """The local trace function. CPython keeps it in place when it returns None."""
        recorder = self._recorder
        # Instructions without a line belong to the line before.
        line = frame.f_lineno or self._line
        if event == "line" or event == "call":
            plan = self._plan
            if plan.repeats and event == "line" and line == self._line and frame.f_lasti in plan.repeats:
                return
            values = self._arranged(frame.f_locals) if plan.is_arranged else frame.f_locals
            try:
                texts = {n: repr(value) if type(value) in _PLAIN else shown(value) for n, value in values.items()}
            except ValueError:  # an int with more digits than the interpreter wants to write
                texts = {n: shown(value) for n, value in values.items()}
            if recorder.current is self:
                previous = self._texts.get
                state = {name: SAME if previous(name) == text else text for name, text in texts.items()}
            else:
                recorder.current = self
                state = texts
            self._texts = texts
            recorder.emit((event, line, state, None), sum(map(len, state.values())))
        elif event == "return":
            recorder.current = None
            recorder.depth -= 1
            text = shown(argument)
            recorder.emit((event, line, None, text), len(text))
        elif event == "exception":
            reword(argument[1])
            text = f"({', '.join(map(shown, argument))})"
            recorder.emit((event, line, None, text), len(text))
        self._line = line

    def _arranged(self, held: Mapping[str, object]) -> Mapping[str, object]:
        values = dict(held)
        if self._plan.is_class:
            return {name: value for name, value in values.items() if name not in _NEWER_CLASS_NAMES}
        names = list(values)
        if names != self._names:
            self._names = names
            kept = [name for name in self._order if name in values]
            new = [name for name in names if name not in kept]
            cells = self._plan.cells
            self._order = kept + sorted(new, key=lambda name: cells.index(name) + 1 if name in cells else 0)
        # Up to 3.12 the frame's own dictionary keeps every value alive until the next event.
        self._values = values
        return values if self._order == names else {name: values[name] for name in self._order}


class _Rearm:
    """Sets the trace function again after CPython has dropped it because it raised.

    CPython then clears the frame's local trace function as well: this one, whose end is the moment to act.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __call__(self, *_: object) -> None:
        """Never called: the frame is being left."""

    def __del__(self) -> None:
        sys.settrace(self._function)


class PlainSum:
    """`sum` without the compensated addition of floats that came with 3.12."""

    __name__ = __qualname__ = "sum"

    def __call__(self, iterable: Any, /, start: Any = 0) -> Any:
        """As the built-in of 3.10."""
        if isinstance(start, str | bytes | bytearray):
            return _sum(iterable, start)  # refused, with the reason
        return reduce(add, iter(iterable), start)

    def __repr__(self) -> str:
        return "<built-in function sum>"


def _stack_depth() -> int:
    frame, depth = sys._getframe(), 0
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    return depth
