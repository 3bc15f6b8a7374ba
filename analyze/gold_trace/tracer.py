"""The observer that records a program's execution as `sys.settrace` reports it, seen as CPython 3.10 would show it.

It is loaded inside the sandbox's worker, so it needs the standard library only, and emits lines of JSON: lists of
frames, each `[event, line number, state or null, value or null]`, then one object that says how the recording ended.
What a state shows, and when a value is "..", are rules 1 to 14 of the CWM trace format (docs/trace.md). What it does
not do: bound time or memory (the sandbox does), or know the program's text (`analyze.gold_trace.trace` adds it).
"""

from __future__ import annotations

import builtins
import marshal
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from operator import add
from types import CodeType, FrameType
from typing import Any

from analyze.gold_trace.messages import reword
from analyze.gold_trace.python310 import CO_OPTIMIZED, compile_as_310
from analyze.gold_trace.relocate import SINCE_312, SINCE_313, repeated_lines
from analyze.gold_trace.reprs_310 import convert_to_310, fallback_repr, repr_310
from corpora.sandbox.reporting.report_writer import encode_json

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own
LocalTrace = Callable[[FrameType, str, Any], None]
Record = tuple[str, int, dict[str, str] | None, str | None]
"""Event, line number (from 1), state as shown (CALL and LINE), value as shown (RETURN and EXCEPTION)."""

SAME = ".."
REPLACED = "the program replaced the trace function"
_sum = builtins.sum
MAX_FRAMES = 100_000
MAX_BYTES = 64 * 2**20
MAX_VALUE = 2**16
"""Characters of one shown value. A longer one ends the trace before its frame, so that every frame that is kept is
exact."""
FIRST_BATCH, MAX_BATCH = 8, 64
BATCH_BYTES = 2**18

# Their repr is the program's own text or a number: it neither fails (but for long ints) nor holds an address.
# By identity: a metaclass may have an `__eq__` and a `__hash__` of its own.
_PLAIN = frozenset(map(id, (int, float, bool, str, bytes, complex, type(None))))
_exact = str.__str__  # a program's `__repr__` may give a `str` with an `__eq__` or `__len__` of its own
_NO_VALUE = object()
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

    Options: `max_frames`, `max_bytes` (of the emitted lines) and `max_value` (characters of a shown value) cut a long
    trace; the last emitted line, {"cut": …}, then names the cap (or that the program replaced the trace function), else
    null.
    """

    def __init__(self, options: Mapping[str, Any], emit: Callable[[str], None]) -> None:
        self._recorder = Recorder(
            self._send,
            max_frames=int(options.get("max_frames", MAX_FRAMES)),
            max_bytes=int(options.get("max_bytes", MAX_BYTES)),
            max_value=int(options.get("max_value", MAX_VALUE)),
        )
        self._emit = emit

    def compile(self, source: str, filename: str) -> CodeType:
        """The module's code. Raises SyntaxError where this interpreter does."""
        self._recorder.filename = filename
        self._recorder.code = compile_as_310(source, filename)
        return self._recorder.code

    def run(self, entry: Callable[[], object]) -> object:
        """Call `entry` while recording; gives and raises what it does."""
        try:
            return self._recorder.run(entry)
        finally:
            self._emit(encode_json({"cut": self._recorder.cut}))

    def _send(self, records: list[Record]) -> int:
        line = encode_json(records)
        self._emit(line)
        return len(line)


class TraceCutError(BaseException):
    """The trace is longer than a cap allows; the text names the cap. Not for the traced program to catch."""


class Recorder:
    """The trace function. One Recorder serves one run.

    take: receives the frames as they happen, some at a time, in a list that it must not keep, and gives their size in
    bytes.

    code: of the module that is traced. Other code with its filename (`exec(compile(text, __file__, "exec"))`) has lines
    that are not this text's, and is not traced; without `code`, all that has the filename is.
    `max_value` is held for every frame; the other caps are looked at when frames are taken, so that a trace may be over
    `max_bytes` by the last lot. After a cut
    the program runs on unrecorded, or, with `stop_at_cut`, ends with TraceCutError.
    """

    __slots__ = (
        *(
            "filename",
            "code",
            "stop_at_cut",
            "max_value",
            "cut",
            "record",
            "pending_count",
            "batch_size",
            "recursion_limit",
        ),
        *("_take", "_records", "_frames_left", "_bytes_left", "_full"),
    )

    def __init__(
        self,
        take: Callable[[list[Record]], int],
        *,
        filename: str = "",
        code: CodeType | None = None,
        max_frames: int = MAX_FRAMES,
        max_bytes: int = MAX_BYTES,
        max_value: int = MAX_VALUE,
        stop_at_cut: bool = False,
    ) -> None:
        self.max_value = max_value
        self.filename = code.co_filename if code else filename
        self.code = code
        self.stop_at_cut = stop_at_cut
        self.cut: str | None = None
        self._take = take
        self._records: list[Record] = []
        self.record = self._records.append
        self.pending_count = (
            self._records.__len__
        )  # how many were gathered and not yet taken; quick under a trace function
        self._frames_left, self._bytes_left = max_frames, max_bytes
        self._full = "" if max_frames > 0 else "max_frames"
        self.batch_size = max(1, min(FIRST_BATCH, max_frames))  # how many records are gathered before they are taken
        self.recursion_limit = 0

    def run(self, entry: Callable[[], object]) -> object:
        """Call `entry` while recording; gives and raises what it does."""
        before, limit, own_sum = sys.gettrace(), sys.getrecursionlimit(), builtins.sum
        self.recursion_limit = max(limit, RECURSION_LIMIT + _stack_depth()) + _HEADROOM
        sys.setrecursionlimit(self.recursion_limit)
        if SINCE_312:
            builtins.sum = PlainSum()
        trace = _trace_function(self)
        sys.settrace(trace)
        try:
            return entry()
        finally:
            if self.cut is None and sys.gettrace() is not trace:
                self.cut = REPLACED
            sys.settrace(before)
            builtins.sum = own_sum
            sys.setrecursionlimit(limit)
            if self._records and not self._full:
                self._take(self._records)

    def flush(self) -> int:
        """Have what was gathered taken, and say how many records to gather next.

        Where a cap was reached before, this is the end of the recording instead.
        """
        if self._full:
            self._end()
            return 1
        size = self._take(self._records)
        self._frames_left -= len(self._records)
        self._bytes_left -= size
        self._records.clear()
        if self._frames_left <= 0 or self._bytes_left < 0:
            self._full = "max_frames" if self._frames_left <= 0 else "max_bytes"
        # Large states are gathered in small lots: memory is bounded by LOT_BYTES and one lot of states that grow.
        lot = self.batch_size * 2 if size < BATCH_BYTES else self.batch_size * BATCH_BYTES // size
        self.batch_size = 1 if self._full else max(1, min(lot, MAX_BATCH, self._frames_left))
        return self.batch_size

    def end_at_value(self) -> None:
        """Have what was gathered taken and end the recording: the next frame has a value that is too long."""
        if not self._full and self._records:
            self._take(self._records)
        self._full = self._full or "max_value"
        self._end()

    def _end(self) -> None:
        if self.cut is None:
            self.cut = self._full
            sys.settrace(None)
            if self.stop_at_cut:
                raise TraceCutError(self.cut)


def collect_into(records: list[Record]) -> Callable[[list[Record]], int]:
    """A `take` for a Recorder that keeps all records in this process."""

    def take(lot: list[Record]) -> int:
        records.extend(lot)
        return len(marshal.dumps(lot))  # much quicker than to add up the lengths of texts

    return take


def _trace_function(recorder: Recorder) -> Callable[[FrameType, str, Any], LocalTrace | None]:
    """The function for `sys.settrace`.

    Here is the path of every event. It is written for speed, so it is longer and deeper than it would be: closures
    (one for the run, one for each function, one for each of its activations) in place of objects, what is the same for
    all events bound outside, no calls that can be spared.
    """
    filename, record, flush, recursion_limit, max_value = (
        recorder.filename,
        recorder.record,
        recorder.flush,
        recorder.recursion_limit,
        recorder.max_value,
    )
    is_own = _membership(recorder.code)
    functions: dict[int, Callable[[], LocalTrace]] = {}
    foreign: set[int] = set()
    depth = 0  # of the traced functions
    left = recorder.batch_size  # records to come before they are taken
    # The texts of the activation that showed the last state, if no RETURN came since: only it may show "..".
    current: dict[str, str] | None = None

    def on_call(frame: FrameType, event: str, argument: object) -> LocalTrace | None:
        nonlocal current, depth
        code = frame.f_code
        if code.co_filename != filename:
            return None
        activate = functions.get(id(code)) or function(code)
        if activate is None:
            return None
        if depth >= RECURSION_LIMIT - 1 and sys.getrecursionlimit() == recursion_limit:
            frame.f_trace = _TraceRearmer(on_call)
            raise RecursionError("maximum recursion depth exceeded")
        depth += 1
        local: LocalTrace | None = frame.f_trace
        if local is None:
            local = activate()
        # Else a generator is resumed, which comes with the local trace function of its first call.
        current = None
        local(frame, event, argument)
        return local

    def function(code: CodeType) -> Callable[[], LocalTrace] | None:
        if id(code) in foreign:
            return None
        codes.append(code)  # kept alive, and with it its id
        if not is_own(code):
            foreign.add(id(code))
            return None
        is_class = not code.co_flags & CO_OPTIMIZED
        cells = code.co_cellvars + code.co_freevars
        first_line = code.co_firstlineno
        repeats = repeated_lines(code) if IS_312 else frozenset()

        def activate() -> LocalTrace:
            last_line = first_line
            texts: dict[str, str] = {}
            plain: dict[str, object] = {}  # the last values, of types whose repr stays as it is
            is_moved = False
            held: Iterable[tuple[str, object]] = ()

            def on_event(frame: FrameType, event: str, argument: Any) -> None:
                # CPython keeps a local trace function in place when it returns None.
                nonlocal current, depth, held, is_moved, last_line, left, plain, texts
                # Instructions without a line belong to the line before.
                line = frame.f_lineno or last_line
                if event == "line" or event == "call":
                    if repeats and event == "line" and line == last_line and frame.f_lasti in repeats:
                        return
                    # Kept in a cell: up to 3.12 the frame keeps the values alive to the next event.
                    held = frame.f_locals.items()
                    if is_class:
                        held = [pair for pair in held if pair[0] not in _NEWER_CLASS_NAMES]
                    state: dict[str, str] = {}
                    known = len(texts)
                    is_current = current is texts
                    for name, value in held:
                        if name in plain and plain[name] is value:  # nothing has to be written, or compared
                            state[name] = SAME if is_current else texts[name]
                            continue
                        try:
                            text = repr(value)
                        except BaseException as error:  # noqa: BLE001 - a program's own __repr__ may raise anything
                            text = fallback_repr(value, error)
                        if type(text) is not str:
                            text = _exact(text)
                        if len(text) > max_value:
                            recorder.end_at_value()
                            return
                        if id(type(value)) in _PLAIN:
                            plain[name] = value
                        else:
                            plain[name] = _NO_VALUE
                            if "<" in text:
                                text = convert_to_310(text)
                        if is_current and name in texts and texts[name] == text:
                            state[name] = SAME
                        else:
                            state[name] = texts[name] = text
                    if len(texts) != known or len(state) != known:  # else the same names as before
                        if cells or len(state) != len(texts):
                            texts = _in_order(texts, known, state, cells)
                            plain = {}
                        if known or cells:
                            is_moved = not is_class and [*texts] != [*state]
                    if is_moved:
                        state = {name: state[name] for name in texts}
                    current = texts
                    record((event, line, state, None))
                elif event == "return":
                    current = None
                    depth -= 1
                    held = ()
                    try:
                        text = repr(argument)
                    except BaseException as error:  # noqa: BLE001 - as above
                        text = fallback_repr(argument, error)
                    if type(text) is not str:
                        text = _exact(text)
                    if len(text) > max_value:
                        recorder.end_at_value()
                        return
                    record((event, line, None, convert_to_310(text) if "<" in text else text))
                elif event == "exception":
                    reword(argument[1])
                    text = f"({', '.join(map(repr_310, argument))})"
                    if len(text) > max_value:
                        recorder.end_at_value()
                        return
                    record((event, line, None, text))
                else:
                    return
                last_line = line
                left -= 1
                if not left:
                    left = flush()

            return on_event

        functions[id(code)] = activate
        return activate

    codes: list[CodeType] = []
    return on_call


def _membership(module: CodeType | None) -> Callable[[CodeType], bool]:
    """Whether a code is the module's own: one of its codes, or such a one but for its flags (`types.coroutine`)."""
    if module is None:
        return lambda code: True
    own, found = [module], {_likeness(module)}
    for code in own:  # grows as it is gone through
        inner = [held for held in code.co_consts if isinstance(held, CodeType)]
        own += inner
        found.update(map(_likeness, inner))
    return lambda code: _likeness(code) in found


def _likeness(code: CodeType) -> tuple[object, ...]:
    return code.co_qualname, code.co_firstlineno, code.co_code, code.co_linetable


def _in_order(texts: dict[str, str], known: int, state: Mapping[str, str], cells: Sequence[str]) -> dict[str, str]:
    """The texts of the names in `state`, in the order in which 3.10 shows them; the first `known` were there before.

    CPython up to 3.12 keeps the dictionary behind `f_locals`, so a name stands where it was first bound and moves to
    the end when it is deleted and bound anew; 3.13 makes a new view each time. And 3.10 lists an argument that an
    inner function reads (a cell) after the other locals.
    """
    names = [*texts]
    new = sorted(names[known:], key=lambda name: cells.index(name) + 1 if name in cells else 0)
    return {name: texts[name] for name in names[:known] + new if name in state}


class _TraceRearmer:
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
