"""The observer that records a program's execution through `sys.settrace`, as CPython 3.10 would show it.

It is loaded inside the sandbox's worker, so it imports the standard library only. It emits a line of JSON for each
frame at once, `[event, line number, state or null, value or null]`, so that every frame up to the line that never ends
is known; then one object that says how the recording ended.
The trace format (docs/trace.md) defines what a state shows and when a value is "..". The sandbox bounds time and
memory; `analyze.gold_trace.trace` adds the source lines.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from operator import add
from types import CodeType, FrameType
from typing import Any

from analyze.gold_trace.frames import UNCHANGED
from analyze.gold_trace.long_lists import PLAIN, LongListRepr
from analyze.gold_trace.messages import reword
from analyze.gold_trace.python310 import CO_OPTIMIZED, compile_as_310
from analyze.gold_trace.relocate import SINCE_312, SINCE_313, repeated_lines
from analyze.gold_trace.reprs_310 import convert_to_310, fallback_repr, repr_310
from corpora.sandbox.reporting.report_writer import encode_json

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own
LocalTrace = Callable[[FrameType, str, Any], None]
Record = tuple[str, int, dict[str, str] | None, str | None]
"""Event, line number (from 1), state as shown (CALL and LINE), value as shown (RETURN and EXCEPTION)."""

REPLACED = "the program replaced the trace function"
_sum = builtins.sum
MAX_FRAMES = 100_000
MAX_BYTES = 64 * 2**20
MAX_VALUE = 2**16
"""Maximum characters of one shown value. A longer value ends the trace before its frame, so that every recorded frame
is exact.
"""

LONG = 1000
"""Characters from which the repr of a list is not built again if the list did not change."""
_exact = str.__str__  # a program's `__repr__` may return a subclass of `str` with its own `__eq__` or `__len__`
_NO_VALUE = object()
# Names that newer interpreters add to the namespace of a class body.
_NEWER_CLASS_NAMES = frozenset(
    {"__firstlineno__", "__static_attributes__", "__classdict__", "__classdictcell__", "__type_params__",
    ".type_params"}
)  # fmt: skip
IS_312 = SINCE_312 and not SINCE_313
# 3.10's default. The module calls `main`, so `main` is the second of the thousand frames.
RECURSION_LIMIT = 1000
# Further frames for the trace function and for a `__repr__` that it calls.
_HEADROOM = 200


class Tracer:
    """Records every event of the traced source from the entry function down.

    The options `max_frames`, `max_bytes` (of the emitted lines) and `max_value` (characters of a shown value) limit the
    trace; with `stop_at_cut` the program ends there (`TraceCutError`). The last emitted line is {"cut": …}: the limit
    that was reached (emitted at once, since the program may never end), `REPLACED` if the program replaced the trace
    function, or null.
    """

    def __init__(self, options: Mapping[str, Any], emit: Callable[[str], None]) -> None:
        self._recorder = Recorder(
            self._send,
            max_frames=int(options.get("max_frames", MAX_FRAMES)),
            max_bytes=int(options.get("max_bytes", MAX_BYTES)),
            max_value=int(options.get("max_value", MAX_VALUE)),
            stop_at_cut=bool(options.get("stop_at_cut", False)),
            at_cut=self._send_end,
        )
        self._emit = emit
        self._has_ended = False

    def compile(self, source: str, filename: str) -> CodeType:
        """Compiles the module. Raises SyntaxError exactly where this interpreter does."""
        self._recorder.filename = filename
        self._recorder.code = compile_as_310(source, filename)
        return self._recorder.code

    def run(self, entry: Callable[[], object]) -> object:
        """Calls `entry` under the trace function; returns and raises what it does."""
        try:
            return self._recorder.run(entry)
        finally:
            self._send_end(self._recorder.cut)

    def _send_end(self, cut: str | None) -> None:
        if not self._has_ended:
            self._has_ended = True
            self._emit(encode_json({"cut": cut}))

    def _send(self, record: Record, _: int) -> int:
        line = encode_json(record)
        self._emit(line)
        return len(line)


class TraceCutError(BaseException):
    """The trace exceeds a limit, which the message names.

    A BaseException, so that the traced program does not catch it.
    """


class Recorder:
    """The trace function and its state. One Recorder serves one run.

    After a limit is reached, the program runs on unrecorded, or ends with TraceCutError if `stop_at_cut`. A trace may
    exceed `max_bytes` by its last frame.

    Args:
        take: Receives each frame when it is recorded, with the number of characters of those values that no earlier
            state of the activation shows, and returns its size in bytes.
        filename: The file name of the traced code (default: that of `code`).
        code: The traced module. Other code with its file name (`exec(compile(text, __file__, "exec"))`) has other lines
            and is not traced. Without `code`, all code with the file name is traced.
        max_frames: Limit on the number of frames.
        max_bytes: Limit on the sum of the sizes that `take` returns.
        max_value: Limit on the characters of one shown value.
        stop_at_cut: Whether to end the program when a limit is reached.
        at_cut: Receives the limit when it is reached, before the program goes on or ends.
    """

    __slots__ = (
        *("filename", "code", "stop_at_cut", "max_value", "cut", "recursion_limit"),
        *("_take", "_at_cut", "_frames_left", "_bytes_left", "_full"),
    )

    def __init__(
        self,
        take: Callable[[Record, int], int],
        *,
        filename: str = "",
        code: CodeType | None = None,
        max_frames: int = MAX_FRAMES,
        max_bytes: int = MAX_BYTES,
        max_value: int = MAX_VALUE,
        stop_at_cut: bool = False,
        at_cut: Callable[[str], None] = lambda limit: None,
    ) -> None:
        self.max_value = max_value
        self.filename = code.co_filename if code else filename
        self.code = code
        self.stop_at_cut = stop_at_cut
        self.cut: str | None = None
        self._take, self._at_cut = take, at_cut
        self._frames_left, self._bytes_left = max_frames, max_bytes
        self._full = "" if max_frames > 0 else "max_frames"
        self.recursion_limit = 0

    def run(self, entry: Callable[[], object]) -> object:
        """Calls `entry` under the trace function; returns and raises what it does."""
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

    def record(self, record: Record, characters: int) -> None:
        """Passes a frame to `take`. If a limit was reached before, it ends the recording instead."""
        if self._full:
            self._end()
            return
        self._bytes_left -= self._take(record, characters)
        self._frames_left -= 1
        if self._frames_left <= 0 or self._bytes_left < 0:
            self._full = "max_frames" if self._frames_left <= 0 else "max_bytes"

    def end_at_value(self) -> None:
        """Ends the recording before a frame whose value is too long."""
        self._full = self._full or "max_value"
        self._end()

    def _end(self) -> None:
        if self.cut is None:
            self.cut = self._full
            sys.settrace(None)
            self._at_cut(self.cut)
            if self.stop_at_cut:
                raise TraceCutError(self.cut)


def collect_into(records: list[Record]) -> Callable[[Record, int], int]:
    """Returns a `take` for a Recorder that keeps all records in this process.

    The size of a frame is the number of its new characters: it holds the other values by reference.
    """

    def take(record: Record, characters: int) -> int:
        records.append(record)
        return characters

    return take


def _trace_function(recorder: Recorder) -> Callable[[FrameType, str, Any], LocalTrace | None]:
    """Builds the function for `sys.settrace`.

    Every event passes through this code. It is optimized for speed, so it is longer and deeper than usual: closures
    (one for the run, one per function, one per activation) instead of objects, everything constant bound outside, no
    avoidable calls.
    """
    filename, record = recorder.filename, recorder.record
    recursion_limit, max_value = recorder.recursion_limit, recorder.max_value
    is_own = _membership(recorder.code)
    functions: dict[int, Callable[[], LocalTrace]] = {}
    foreign: set[int] = set()
    depth = 0  # number of active traced functions
    # The shown values of the activation that showed the last state, if no RETURN came since: only it may show "..".
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
        # Otherwise a generator is resumed, which brings the local trace function of its first call.
        current = None
        local(frame, event, argument)
        return local

    def function(code: CodeType) -> Callable[[], LocalTrace] | None:
        if id(code) in foreign:
            return None
        codes.append(code)  # kept alive, so that its id stays unique
        if not is_own(code):
            foreign.add(id(code))
            return None
        is_class = not code.co_flags & CO_OPTIMIZED
        own_cells = tuple(sorted(code.co_cellvars))  # as in 3.10; 3.11 lists arguments first, in their order
        cells = own_cells + code.co_freevars
        cells_of_call = code.co_freevars + own_cells
        first_line = code.co_firstlineno
        repeats = repeated_lines(code) if IS_312 else frozenset()

        def activate() -> LocalTrace:
            last_line = first_line
            texts: dict[str, str] = {}
            plain: dict[str, object] = {}  # the last values of types whose repr never changes
            long: dict[str, LongListRepr] = {}
            is_moved = False
            held: Iterable[tuple[str, object]] = ()

            def on_event(frame: FrameType, event: str, argument: Any) -> None:
                # CPython keeps a local trace function in place when it returns None.
                nonlocal current, depth, held, is_moved, last_line, plain, texts
                # Instructions without a line belong to the previous line.
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
                    characters = 0
                    for name, value in held:
                        if name in plain and plain[name] is value:  # unchanged: no repr needed
                            state[name] = UNCHANGED if is_current else texts[name]
                            continue
                        try:
                            text = long[name].show(value) if name in long else repr(value)
                        except BaseException as error:  # noqa: BLE001 - a program's own __repr__ may raise anything
                            text = fallback_repr(value, error)
                        if type(text) is not str:
                            text = _exact(text)
                        length = len(text)
                        if length > max_value:
                            recorder.end_at_value()
                            return
                        if id(type(value)) in PLAIN:
                            plain[name] = value
                        else:
                            plain[name] = _NO_VALUE
                            if length > LONG and name not in long and type(value) is list:
                                long[name] = LongListRepr()
                            if "<" in text:
                                text = convert_to_310(text)
                        if is_current and name in texts and texts[name] == text:
                            state[name] = UNCHANGED
                        else:
                            state[name] = texts[name] = text
                            characters += length
                    if len(texts) != known or len(state) != known:  # otherwise the names are the same as before
                        if cells or len(state) != len(texts):
                            texts = _in_order(texts, known, state, cells_of_call if event == "call" else cells)
                            plain = {}
                        if known or cells:
                            is_moved = not is_class and [*texts] != [*state]
                    if is_moved:
                        state = {name: state[name] for name in texts}
                    current = texts
                    record((event, line, state, None), characters)
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
                    record((event, line, None, convert_to_310(text) if "<" in text else text), len(text))
                elif event == "exception":
                    reword(argument[1])
                    text = f"({', '.join(map(repr_310, argument))})"
                    if len(text) > max_value:
                        recorder.end_at_value()
                        return
                    record((event, line, None, text), len(text))
                else:
                    return
                last_line = line

            return on_event

        functions[id(code)] = activate
        return activate

    codes: list[CodeType] = []
    return on_call


def _membership(module: CodeType | None) -> Callable[[CodeType], bool]:
    """Returns a predicate: whether a code object belongs to the module.

    Flags are ignored, because `types.coroutine` changes them.
    """
    if module is None:
        return lambda code: True
    own, found = [module], {_likeness(module)}
    for code in own:  # grows during the loop
        inner = [held for held in code.co_consts if isinstance(held, CodeType)]
        own += inner
        found.update(map(_likeness, inner))
    return lambda code: _likeness(code) in found


def _likeness(code: CodeType) -> tuple[object, ...]:
    return code.co_qualname, code.co_firstlineno, code.co_code, code.co_linetable


def _in_order(texts: dict[str, str], known: int, state: Mapping[str, str], cells: Sequence[str]) -> dict[str, str]:
    """Returns the values of the names in `state` in the order of 3.10; the first `known` names are not new.

    Up to 3.12, CPython keeps the dictionary behind `f_locals`: a name keeps the position of its first binding and moves
    to the end when it is deleted and bound again. 3.13 creates a new view each time. 3.10 also lists new `cells` after
    the other locals: at a CALL, first the variables of outer functions, then the arguments that an inner function
    reads; at a LINE, the other way round.
    """
    names = [*texts]
    new = sorted(names[known:], key=lambda name: cells.index(name) + 1 if name in cells else 0)
    return {name: texts[name] for name in names[:known] + new if name in state}


class _TraceRearmer:
    """Sets the trace function again after CPython dropped it because it raised.

    CPython then also clears the frame's local trace function. That function is this object, whose deletion triggers the
    action.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __call__(self, *_: object) -> None:
        """Never called: the frame is already being left."""

    def __del__(self) -> None:
        sys.settrace(self._function)


class PlainSum:
    """`sum` without the compensated addition of floats that 3.12 introduced."""

    __name__ = __qualname__ = "sum"

    def __call__(self, iterable: Any, /, start: Any = 0) -> Any:
        """Adds as 3.10's built-in does."""
        if isinstance(start, str | bytes | bytearray):
            return _sum(iterable, start)  # raises the built-in's own TypeError
        return reduce(add, iter(iterable), start)

    def __repr__(self) -> str:
        return "<built-in function sum>"


def _stack_depth() -> int:
    frame, depth = sys._getframe(), 0
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    return depth
