"""Runs one program inside its own process and describes what it did.

This is the only module that executes untrusted code. It trusts nothing that the program leaves behind: this module and
the modules it calls have their own built-ins, timers and trace functions are removed, and a C encoder that was bound
before the program ran encodes the results. Limits around the process protect the machine.
"""

from __future__ import annotations

import builtins
import gc
import mmap
import os
import resource
import signal
import sys
import time
import types
import warnings
from typing import Any

from corpora.sandbox.confinement.limits import REPORT_HEADROOM
from corpora.sandbox.execution import simulated_environment
from corpora.sandbox.execution.call_steps import CallStep, ParsedCall
from corpora.sandbox.execution.module_globals import GlobalChange, IterationObserver, ModuleGlobals, describe_changes
from corpora.sandbox.execution.program_module import import_module
from corpora.sandbox.execution.standard_streams import INPUT_IS_EMPTY, StandardStreams
from corpora.sandbox.reporting.protocol import FILENAME, PARTS_LIMIT, REPR_LIMIT, STDOUT_LIMIT, Job
from corpora.sandbox.reporting.report_writer import Fields, ReportWriter, encode_json
from corpora.sandbox.values.safe_repr import exception_location, exception_message, safe_repr
from corpora.sandbox.values.snapshot import Snapshot
from corpora.sandbox.values.value_kinds import Node, type_name

Observer = Any

globals()["__builtins__"] = dict(vars(builtins))  # own built-ins for this module: a program may replace the shared ones
_set_trace, _set_profile, _set_recursion_limit = sys.settrace, sys.setprofile, sys.setrecursionlimit
_set_digits, _set_timer, _gc_enable = sys.set_int_max_str_digits, signal.setitimer, gc.enable
_fstat, _clock = os.fstat, time.monotonic
_TIMERS = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)
_RECURSION, _DIGITS = sys.getrecursionlimit(), sys.get_int_max_str_digits()
_quietly, _ignore = warnings.catch_warnings, warnings.simplefilter
_sys, _usage, _SELF = sys, resource.getrusage, resource.RUSAGE_SELF
# Kilobytes that calls may use before the remaining calls of their program get another process.
MAX_SHARED_MEMORY = 64 << 10
_MAIN = ParsedCall("main()", sequences=False)  # for a job without calls; parsed before the fork, which is much cheaper


def restore_interpreter() -> None:
    """Undo changes to the interpreter that the next steps rely on. The caller has removed trace functions already."""
    for timer in _TIMERS:
        _set_timer(timer, 0)
    _set_recursion_limit(_RECURSION)
    _gc_enable()


def _stop_monitoring() -> None:
    """Switch off `sys.monitoring` tools of the program (3.12 and later).

    A tool that always raises ends as "crashed".
    """
    monitoring = vars(_sys).get("monitoring")
    if monitoring is None:
        return
    for tool in range(6):
        if monitoring.get_tool(tool) is not None:
            monitoring.set_events(tool, 0)


def run_job(job: Job, observer: type[Observer] | None) -> None:
    """Run every call of the job on a fresh module and report each, as long as the process has used little memory.

    The caller runs the remaining calls in another process.
    """
    report, streams, reserve = ReportWriter(job.nonce), StandardStreams(), MemoryReserve()
    source = CompiledSource(job.source)
    calls = [ParsedCall(call, job.sequences) for call in job.calls] or [_MAIN]
    largest = _memory_used() + MAX_SHARED_MEMORY
    for call in calls:
        simulated_environment.set_up_environment(job.environment)
        _set_digits(_DIGITS)
        reserve.acquire()
        start = streams.begin()
        run = CallExecution(job, source, call, report, streams, reserve)
        try:
            fields = run.fields(observer)
        except MemoryError:
            fields = {"status": "memory", "detail": "MemoryError while describing the result"}
        if "stdout_end" not in fields:
            fields["stdout_end"] = _fstat(1).st_size
        fields["stdout_start"] = start
        report.write_result(fields)
        del run  # destructors of the module run before the next call
        if _memory_used() > largest:
            break


def _memory_used() -> int:
    """The most memory that this process ever used: kilobytes on Linux, bytes on macOS."""
    return _usage(_SELF).ru_maxrss


class MemoryReserve:
    """Address space that the program cannot use.

    It is released to describe the result of a program that ran out of memory.
    """

    def __init__(self) -> None:
        self._held: mmap.mmap | None = None

    def acquire(self) -> None:
        """Reserve `REPORT_HEADROOM` bytes of address space, unless they are reserved already."""
        if self._held is None:
            self._held = mmap.mmap(-1, REPORT_HEADROOM, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)

    def release(self) -> None:
        """Release the reserved address space."""
        if self._held is not None:
            self._held.close()
            self._held = None


class CompiledSource:
    """The source of a program, compiled once for all calls."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._code: types.CodeType | None = None

    def code(self) -> types.CodeType:
        """The code object. Raises what `compile` raises, at each call."""
        if self._code is None:
            with _quietly():  # warnings of the compiler are not output of the program
                _ignore("ignore")
                self._code = compile(self._text, FILENAME, "exec", dont_inherit=True)
        return self._code


class SequenceResult:
    """The results of the steps of a sequence: values, and exceptions that were raised."""

    def __init__(self) -> None:
        self.steps: list[tuple[Any, bool]] = []

    def repr(self) -> str:
        """For people: `1; raises ValueError: no`."""
        return "; ".join(
            f"raises {': '.join(_type_and_message(value))}" if raised else safe_repr(value)
            for value, raised in self.steps
        )


def sequence_node(snapshot: Snapshot, steps: list[tuple[Any, bool]]) -> Node:
    """Nodes of values, and `["raised", type, message, node]` for exceptions."""
    return [
        "sequence",
        *(
            ["raised", *_type_and_message(value), snapshot.node(value)] if raised else snapshot.node(value)
            for value, raised in steps
        ),
    ]


def _type_and_message(error: BaseException) -> list[str]:
    return [type_name(type(error)).rpartition(".")[2], exception_message(error)]


class CallExecution:
    """One call of one program."""

    def __init__(
        self,
        job: Job,
        source: CompiledSource,
        call: ParsedCall,
        report: ReportWriter,
        streams: StandardStreams,
        reserve: MemoryReserve,
    ) -> None:
        self._job, self._source, self._call, self._report = job, source, call, report
        self._streams, self._reserve = streams, reserve
        self._module = import_module()
        self._arguments: list[object] = []
        self._globals: ModuleGlobals | None = None
        self._iteration_observer: IterationObserver | None = None
        self._result: object = None

    def fields(self, observer: type[Observer] | None) -> Fields:
        """Run the call, then describe it: exactly one of value and exception is set."""
        value: object = None
        error: BaseException | None = None
        start = _clock()
        try:
            value = self._run_observed(observer) if observer else self._run_call()
        except BaseException as raised:  # noqa: BLE001 - whatever a program raises, including SystemExit, is its outcome
            error = raised
        for remove in (_set_profile, _set_trace):
            # inline, because a call would be traced; a trace function that raises is removed by doing so
            try:
                remove(None)
            except BaseException:  # noqa: BLE001
                remove(None)
        restore_interpreter()
        _stop_monitoring()
        elapsed = _clock() - start
        if error is not None:
            self._reserve.release()
        try:
            fields = self._describe(value, error)
        except MemoryError:
            self._reserve.release()
            self._streams.flush()
            raise
        fields["seconds"] = elapsed
        return fields

    def _load(self, code: types.CodeType) -> dict[str, Any]:
        namespace = self._module.__dict__
        exec(code, namespace)
        self._globals = ModuleGlobals(namespace)
        return namespace

    def _run_call(self) -> object:
        namespace = self._load(self._source.code())
        if self._call.error:
            raise self._call.error
        steps = self._call.steps
        if len(steps) == 1 and not steps[0].name:
            return steps[0].value(namespace, {}, self._arguments)
        if not steps and self._globals:
            self._globals.clear_baseline()
        return self._run_sequence(steps, namespace) if steps else None

    def _run_sequence(self, steps: list[CallStep], namespace: dict[str, Any]) -> SequenceResult:
        """Run every step on the same module, including those after a step that raised."""
        names: dict[str, Any] = {}
        result = SequenceResult()
        for step in steps:
            try:
                value = step.value(namespace, names, self._arguments)
            except MemoryError:
                raise
            except Exception as error:  # noqa: BLE001 - recorded, like that of a single call
                result.steps.append((error, True))
            else:
                result.steps.append((value, False))
                if step.name:
                    names[step.name] = value
        return result

    def _run_observed(self, observer: type[Observer]) -> object:
        watching = observer(self._job.options, self._report.write_line)
        namespace = self._load(watching.compile(self._job.source, FILENAME))
        return watching.run(namespace["main"])

    def _describe(self, value: object, error: BaseException | None) -> Fields:
        if error is not None and issubclass(type(error), MemoryError):
            self._streams.flush()
            return {"status": "memory", "detail": exception_location(error)}
        _set_digits(0)
        fields: Fields = {"status": "ok" if error is None else "raised"}
        if error is None:
            fields["value"] = value.repr() if type(value) is SequenceResult else safe_repr(value)
        else:
            fields["exception"] = _type_and_message(error)
            fields["detail"] = self._detail(error)
        fields["arguments"] = [safe_repr(argument) for argument in self._arguments]
        changed = self._changed_globals()
        fields["globals"] = {
            name: safe_repr(changed_value) if exists else "<deleted>" for name, exists, changed_value in changed
        }
        strings = [fields.get("value", ""), *fields["arguments"], *fields["globals"], *fields["globals"].values()]
        if sum(map(len, strings)) > REPR_LIMIT or len(strings) > PARTS_LIMIT:
            self._streams.flush()
            return {"status": "output", "detail": "a repr exceeds the size limit"}
        fields["snapshot"] = self._snapshot(fields["status"], value if error is None else error, changed)
        self._streams.flush()
        fields["stdout_end"] = _fstat(1).st_size
        fields["stderr"] = self._streams.stderr()
        if fields["stdout_end"] >= STDOUT_LIMIT:
            return {"status": "output", "detail": "the output exceeds the size limit"}
        return fields

    def _detail(self, error: BaseException) -> str:
        """Where an exception was raised, and a possible reason that the program does not show."""
        loading = "" if self._globals else ", while the module was loading"
        read = f"; {INPUT_IS_EMPTY}" if self._streams.is_input_read else ""
        return f"{exception_location(error)}{loading}{read}"

    def _snapshot(self, status: str, result: object, changed: list[GlobalChange]) -> str:
        """Result, arguments and changed globals as a string. Describing an iterator among them advances it."""
        snapshot = Snapshot(look=self._observe_iteration)
        steps = result.steps if type(result) is SequenceResult else None
        self._result = result if steps is None else [value for value, _ in steps]
        node = snapshot.node(result) if steps is None else sequence_node(snapshot, steps)
        arguments = [snapshot.node(argument) for argument in self._arguments]
        if self._iteration_observer is not None or (self._globals is not None and self._globals.has_iterators):
            changed = self._changed_globals(iterators=True)
        nodes = describe_changes(snapshot, changed) if changed else {}
        whole = {"capped": snapshot.capped, status: node, "arguments": arguments, "globals": nodes}
        unread = snapshot.unread or (self._iteration_observer and self._iteration_observer.gave_up)
        return encode_json({**whole, "unread": True} if unread else whole)

    def _observe_iteration(self, latest: list[object]) -> list[Node]:
        if self._iteration_observer is None:
            self._iteration_observer = IterationObserver(
                (self._result, *self._arguments), self._changed_globals, self._streams.flush
            )
        return self._iteration_observer.observe(latest)

    def _changed_globals(self, *, iterators: bool = False) -> list[GlobalChange]:
        return self._globals.changes(iterators=iterators) if self._globals else []
