"""The base of observers that record what each step of a traced run computes.

It runs the program under the tracer's rules, so that every operation belongs to a frame: `frame()` is the index of the
frame that an operation leads to, the number of frames in the trace at that time. It is loaded inside the sandbox's
worker, so it imports the standard library only. What the program's own `__repr__` does while the tracer shows a state
belongs to no step.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from types import CodeType, FrameType

from analyze.gold_trace.python310 import compile_as_310
from analyze.gold_trace.tracer import MAX_BYTES, MAX_FRAMES, PlainSum, Record, Recorder
from analyze.instrumentation.injection import calls_of_constants
from analyze.instrumentation.instrument import Instrumentation
from analyze.instrumentation.observer import Observer

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own
_RESUMED = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR
_TRACER = Recorder.run.__code__.co_filename
_SUM = PlainSum.__call__.__code__  # stands for a builtin that the program calls, though it is in the tracer's file


class StepObserver(Observer):
    """Counts the frames of a run while its operations are observed.

    Args:
        last_frame: The index of the frame after which the program is ended (default: it runs to its end).

    Attributes:
        events: Event and line of each frame so far.
    """

    def __init__(self, last_frame: int | None = None) -> None:
        self.events: list[tuple[str, int]] = []
        frames = MAX_FRAMES if last_frame is None else last_frame + 1
        self._recorder = Recorder(
            self._taken, max_frames=frames, max_bytes=MAX_BYTES, stop_at_cut=last_frame is not None
        )

    def compile(self, source: str, filename: str) -> CodeType:
        """Compiles the module with probes around its operations, and with the line numbers of CPython 3.10."""
        # The traced `main` is the last statement; its call is the input and is not instrumented.
        instrumentation = Instrumentation(source, self, spared=1)
        self._probes = instrumentation.probes
        with calls_of_constants():
            code = compile_as_310(source, filename, instrumentation.transform)
        self._recorder.filename = filename
        self._recorder.code = instrumentation.inject(code)
        return self._recorder.code

    def run(self, entry: Callable[[], object]) -> object:
        """Calls `entry`; what the module's top level computed does not count."""
        self.begin()
        self._probes.clear()
        try:
            return self._recorder.run(entry)
        finally:
            self._probes.end()
            self.end()

    def begin(self) -> None:
        """Called before the traced call; discards what the module's top level computed."""

    def end(self) -> None:
        """Called after the traced call, when all its operations were reported."""

    def frame(self) -> int:
        """Returns the number of frames in the trace so far."""
        return len(self.events)

    @property
    def is_cut(self) -> bool:
        """Whether a limit of the tracer was reached."""
        return self._recorder.cut is not None

    def sees(self, frame: FrameType) -> bool:
        """Excludes what the program computes for the tracer (a `__repr__` for a state): no frame of it is traced."""
        program = self._recorder.filename
        # The caller that resumes a generator decides: the program may have started it, and the tracer may resume it.
        while frame.f_code.co_flags & _RESUMED or frame.f_code.co_filename != program:
            if frame.f_back is None or (frame.f_code.co_filename == _TRACER and frame.f_code is not _SUM):
                return False
            frame = frame.f_back
        return frame.f_trace is not None

    def _taken(self, record: Record, _: int) -> int:
        self.events.append((record[0], record[1]))
        return 0
