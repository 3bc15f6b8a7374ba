"""Records the execution paths of calls in the worker, for `rewrite.equivalence.coverage`."""

from __future__ import annotations

import builtins
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from inspect import CO_NEWLOCALS, CO_OPTIMIZED
from types import CodeType, FrameType
from typing import Any

from corpora.sandbox.execution.call_steps import ParsedCall
from corpora.sandbox.execution.program_module import import_module
from corpora.sandbox.reporting.report_writer import encode_json
from corpora.sandbox.values.snapshot import Snapshot

globals()["__builtins__"] = dict(vars(builtins))  # the observer needs its own: a program may replace builtins
_set_trace, _clear, _update = sys.settrace, dict.clear, dict.update
_trace_threads = threading.settrace
_built_ins, _BUILT_INS = vars(builtins), dict(vars(builtins))
_modules = sys.modules
_set_timer, _set_handler, _processor_time = signal.setitimer, signal.signal, time.process_time
_FUNCTION = CO_OPTIMIZED | CO_NEWLOCALS
_TIMERS = ((signal.SIGVTALRM, signal.ITIMER_VIRTUAL), (signal.SIGALRM, signal.ITIMER_REAL))
MODULE, FUNCTION, LAMBDA = 0, 1, 2
"""What a frame runs; a class body is a module's."""


class _WorkLimitReached(BaseException):
    """Leaves the observed program. It is not an Exception, so that handlers in the program do not catch it."""


class PathObserver:
    """Sandbox observer: runs each call on a fresh module and emits its path.

    It emits "[index]" before each call and "[index, work, ended, processor time, steps]" after it. It stops after the
    first call that exceeds the limit on work. A timer ends the process if a call exceeds a limit on time.
    """

    def __init__(self, options: Mapping[str, Any], emit: Callable[[str], None]) -> None:
        self._calls = [ParsedCall(call, sequences=True) for call in options["calls"]]
        self._most, self._total = options["max_work"], options["max_total"]
        self._limits = options["cpu_seconds"], options["wall_seconds"]
        self._emit = emit
        self._steps: set[tuple[int, int, int, int]] = set()
        self._work = 0
        self._filename = ""
        self._code: CodeType | None = None

    def compile(self, source: str, filename: str) -> CodeType:
        """Compile the program."""
        self._filename = filename
        self._code = compile(source, filename, "exec", dont_inherit=True)
        return self._code

    def run(self, entry: Callable[[], object]) -> object:
        """Run each call in a fresh module; `entry` is not used."""
        for number, call in enumerate(self._calls):
            self._emit(f"[{number}]")
            self._steps, self._work = set(), 0
            _clear(_built_ins)
            _update(_built_ins, _BUILT_INS)
            _modules["sys"] = sys  # since Python 3.12, a newly imported `sys` has no `modules`
            start = _processor_time()
            self._called(call)
            ended = self._work <= self._most
            self._emit(encode_json([number, self._work, ended, _processor_time() - start, sorted(self._steps)]))
            self._total -= self._work
            if not ended or self._total < 0:
                break
        return None

    def _called(self, call: ParsedCall) -> None:
        assert self._code is not None
        namespace = import_module().__dict__
        for (number, timer), limit in zip(_TIMERS, self._limits, strict=True):
            _set_handler(number, signal.SIG_DFL)  # ends the process
            _set_timer(timer, limit)
        _trace_threads(self._enter)
        _set_trace(self._enter)
        try:
            exec(self._code, namespace)
            self._follow(call, namespace)
        except BaseException:  # noqa: BLE001 - outcomes are compared elsewhere; only the path counts here
            return
        finally:
            _set_trace(None)
            for _, timer in _TIMERS:
                _set_timer(timer, 0)

    def _follow(self, call: ParsedCall, namespace: dict[str, Any]) -> None:
        snapshot, named = Snapshot(), dict[str, Any]()
        for step in call.steps:
            try:
                value = step.value(namespace, named, [])
            except Exception:  # noqa: BLE001 - the next call of the sequence follows
                continue
            if step.name:
                named[step.name] = value
            snapshot.node(value)  # reading a lazy value runs its code

    def _enter(self, frame: FrameType, event: str, argument: object) -> Callable[..., Any] | None:
        code = frame.f_code
        if code.co_filename != self._filename:
            return None
        scope = MODULE if code.co_flags & _FUNCTION != _FUNCTION else LAMBDA if code.co_name == "<lambda>" else FUNCTION
        latest, raising = 0, False

        def follow(frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
            nonlocal latest, raising
            if event == "line":
                self._step(latest, frame.f_lineno, scope, raising)
                latest, raising = frame.f_lineno, False
            elif event == "exception":
                raising = True
            elif event == "return" and not raising:
                self._step(latest, 0, scope, False)
            return follow

        return follow

    def _step(self, start: int, end: int, scope: int, raised: bool) -> None:
        self._work += 1
        if self._work > self._most:
            raise _WorkLimitReached
        self._steps.add((start, end, scope, raised))
