"""Run one program inside its own process and describe what it did.

This is the only place where foreign code is executed. It trusts nothing that the program leaves behind: it and
what it calls have built-ins of their own, timers and trace functions are removed, and results leave as text made by a
C encoder that was bound before the program ran. It does not guard the machine; the limits around it do.
"""

from __future__ import annotations

import builtins
import gc
import mmap
import os
import signal
import sys
import time
import types
import warnings
from typing import Any

from corpora.sandbox.confinement.limits import HEADROOM
from corpora.sandbox.execution import simulated_world
from corpora.sandbox.execution.call_steps import Step, Text
from corpora.sandbox.execution.library_state import give_back
from corpora.sandbox.execution.module_globals import Change, Namespace, Onlooker, described
from corpora.sandbox.reporting.protocol import FILENAME, PARTS_LIMIT, REPR_LIMIT, STDOUT_LIMIT, Job
from corpora.sandbox.reporting.report_writer import Fields, Report, encode
from corpora.sandbox.values.safe_repr import shown, text_of, where
from corpora.sandbox.values.snapshot import Snapshot
from corpora.sandbox.values.value_kinds import Node, type_name

Observer = Any

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own
_BUILTINS = dict(vars(builtins))
_builtins_dict = vars(builtins)
_set_trace, _set_profile, _set_recursion_limit = sys.settrace, sys.setprofile, sys.setrecursionlimit
_set_digits, _set_timer, _gc_enable = sys.set_int_max_str_digits, signal.setitimer, gc.enable
_fstat, _clock = os.fstat, time.monotonic
_pread, _truncate, _seek = os.pread, os.ftruncate, os.lseek
_Module = types.ModuleType
_TIMERS = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)
_RECURSION, _DIGITS = sys.getrecursionlimit(), sys.get_int_max_str_digits()
_quietly, _ignore = warnings.catch_warnings, warnings.simplefilter
_dict_clear, _dict_update, _sys, _modules = dict.clear, dict.update, sys, sys.modules


def restore() -> None:
    """Undo what a program may have done to the interpreter that the next steps rely on (trace functions are gone)."""
    for timer in _TIMERS:
        _set_timer(timer, 0)
    _set_recursion_limit(_RECURSION)
    _gc_enable()


def _forget_monitoring() -> None:
    """Switch off what a program left in `sys.monitoring` (3.12 and later). One that always raises ends as crashed."""
    monitoring = vars(_sys).get("monitoring")
    if monitoring is None:
        return
    for tool in range(6):
        if monitoring.get_tool(tool) is not None:
            monitoring.set_events(tool, 0)


def run_job(job: Job, observer: type[Observer] | None) -> None:
    """Run every call of the job, each on fresh module state, and report each. Returns when all are reported."""
    report, streams, reserve = Report(job.nonce), Streams(), Reserve()
    source = Source(job.source)
    calls = [Text(call, job.sequences) for call in job.calls or ("main()",)]
    for number, call in enumerate(calls):
        if number:
            _dict_clear(_builtins_dict)
            _dict_update(_builtins_dict, _BUILTINS)
            _modules["sys"] = _sys  # from 3.12 on, one that is imported anew has no `modules`
            give_back()
        simulated_world.arrange(job.world)
        _set_digits(_DIGITS)
        reserve.keep()
        start = streams.begin()
        run = Run(job, source, call, report, streams, reserve)
        try:
            fields = run.fields(observer)
        except MemoryError:
            fields = {"status": "memory", "detail": "MemoryError while the result was described"}
        if "stdout_end" not in fields:
            fields["stdout_end"] = _fstat(1).st_size
        fields["stdout_start"] = start
        report.result(fields)
        del run  # what ends with its module ends before the next call


class Streams:
    """Standard output and standard error of one call after the other."""

    def __init__(self) -> None:
        self._out, self._err = _sys.stdout, _sys.stderr

    def begin(self) -> int:
        """Give a call the streams as they were, empty; where its standard output begins."""
        self.flush()
        _sys.stdout, _sys.stderr = self._out, self._err
        try:
            _truncate(2, 0)
            _seek(2, 0, 0)
        except OSError:  # closed by an earlier call, or nowhere
            pass
        return _fstat(1).st_size

    def flush(self) -> None:
        """Write what is held back of standard output."""
        try:
            self._out.flush()
        except Exception:  # noqa: BLE001 - closed or full: what could be written has been, and its size is checked
            return

    def error(self) -> str:
        """What the call wrote to standard error, as far as it is kept."""
        try:  # noqa: SIM105 - as quick as it can be: once a call
            self._err.flush()
        except Exception:  # noqa: BLE001 - closed: what was written before is there
            pass
        try:
            return _pread(2, STDOUT_LIMIT, 0).decode("utf-8", "replace")
        except OSError:
            return ""


class Reserve:
    """Address space kept back from a program, given back where it ran out, to describe what it did."""

    def __init__(self) -> None:
        self._held: mmap.mmap | None = None

    def keep(self) -> None:
        """Take `HEADROOM` bytes of addresses, unless they are held."""
        if self._held is None:
            self._held = mmap.mmap(-1, HEADROOM, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)

    def give(self) -> None:
        """Give them back."""
        if self._held is not None:
            self._held.close()
            self._held = None


class Source:
    """The program's text, compiled once for all calls; a text that does not compile raises at each."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._code: types.CodeType | None = None

    def code(self) -> types.CodeType:
        """The compiled text; raises what `compile` raises."""
        if self._code is None:
            with _quietly():  # what the compiler thinks of a text is no part of what the program does
                _ignore("ignore")
                self._code = compile(self._text, FILENAME, "exec", dont_inherit=True)
        return self._code


class Passed:
    """What the steps of a sequence came to: values, and exceptions that were raised."""

    def __init__(self) -> None:
        self.steps: list[tuple[Any, bool]] = []

    def shown(self) -> str:
        """As people read it: `1; raises ValueError: no`."""
        return "; ".join(f"raises {': '.join(_named(held))}" if raised else shown(held) for held, raised in self.steps)


def passed_node(snapshot: Snapshot, passed: list[tuple[Any, bool]]) -> Node:
    """Nodes of values, and `["raised", type, text, node]` for exceptions."""
    return [
        "sequence",
        *(["raised", *_named(held), snapshot.node(held)] if raised else snapshot.node(held) for held, raised in passed),
    ]


def _named(error: BaseException) -> list[str]:
    return [type_name(type(error)).rpartition(".")[2], text_of(error)]


class Run:
    """One call of one program."""

    def __init__(
        self, job: Job, source: Source, call: Text, report: Report, streams: Streams, reserve: Reserve
    ) -> None:
        self._job, self._source, self._call, self._report = job, source, call, report
        self._streams, self._reserve = streams, reserve
        self._module = _Module("__main__")
        # named here, as `exec` would give the program ours
        self._module.__dict__.update(__file__=FILENAME, __builtins__=builtins)
        self._arguments: list[object] = []
        self._names: Namespace | None = None
        self._onlooker: Onlooker | None = None
        self._result: object = None

    def fields(self, observer: type[Observer] | None) -> Fields:
        """Run, then describe: exactly one of value and exception is set."""
        value: object = None
        error: BaseException | None = None
        start = _clock()
        try:
            value = self._observed(observer) if observer else self._called()
        except BaseException as raised:  # noqa: BLE001 - whatever a program raises, SystemExit included, is its outcome
            error = raised
        for remove in (_set_profile, _set_trace):
            # here and not in a function: to call one is to be traced. A trace function that raises is gone after it.
            try:
                remove(None)
            except BaseException:  # noqa: BLE001
                remove(None)
        restore()
        _forget_monitoring()
        elapsed = _clock() - start
        if error is not None:
            self._reserve.give()
        try:
            fields = self._described(value, error)
        except MemoryError:
            self._reserve.give()
            self._flush()
            raise
        fields["seconds"] = elapsed
        return fields

    def _flush(self) -> None:
        self._streams.flush()

    def _load(self, code: types.CodeType) -> dict[str, Any]:
        namespace = self._module.__dict__
        _modules["__main__"] = self._module
        exec(code, namespace)
        self._names = Namespace(namespace)
        return namespace

    def _called(self) -> object:
        namespace = self._load(self._source.code())
        if self._call.failed:
            raise self._call.failed
        todo = self._call.steps
        if len(todo) == 1 and not todo[0].name:
            return todo[0].value(namespace, {}, self._arguments)
        if not todo and self._names:
            self._names.forget()
        return self._sequence(todo, namespace) if todo else None

    def _sequence(self, todo: list[Step], namespace: dict[str, Any]) -> Passed:
        """Every step on the same module, also after one that raised."""
        named: dict[str, Any] = {}
        passed = Passed()
        for step in todo:
            try:
                value = step.value(namespace, named, self._arguments)
            except MemoryError:
                raise
            except Exception as error:  # noqa: BLE001 - recorded, as that of a single call is
                passed.steps.append((error, True))
            else:
                passed.steps.append((value, False))
                if step.name:
                    named[step.name] = value
        return passed

    def _observed(self, observer: type[Observer]) -> object:
        watching = observer(self._job.options, self._report.line)
        namespace = self._load(watching.compile(self._job.source, FILENAME))
        return watching.run(namespace["main"])

    def _described(self, value: object, error: BaseException | None) -> Fields:
        if error is not None and issubclass(type(error), MemoryError):
            self._flush()
            return {"status": "memory", "detail": where(error)}
        _set_digits(0)
        fields: Fields = {"status": "ok" if error is None else "raised"}
        if error is None:
            fields["value"] = value.shown() if type(value) is Passed else shown(value)
        else:
            fields["exception"] = _named(error)
            fields["detail"] = where(error) if self._names else f"{where(error)}, while the module was loading"
        fields["arguments"] = [shown(argument) for argument in self._arguments]
        changed = self._changed()
        fields["globals"] = {name: shown(held) if kept else "<deleted>" for name, kept, held in changed}
        texts = [fields.get("value", ""), *fields["arguments"], *fields["globals"], *fields["globals"].values()]
        if sum(map(len, texts)) > REPR_LIMIT or len(texts) > PARTS_LIMIT:
            self._flush()
            return {"status": "output", "detail": "a longer repr than is kept"}
        fields["snapshot"] = self._snapshot(fields["status"], value if error is None else error, changed)
        self._flush()
        fields["stdout_end"] = _fstat(1).st_size
        fields["stderr"] = self._streams.error()
        if fields["stdout_end"] >= STDOUT_LIMIT:
            return {"status": "output", "detail": "more output than is kept"}
        return fields

    def _snapshot(self, status: str, result: object, changed: list[Change]) -> str:
        """Result, arguments and changed globals as text; to read an iterator in them is to let it go on."""
        snapshot = Snapshot(look=self._look)
        passed = result.steps if type(result) is Passed else None
        self._result = result if passed is None else [held for held, _ in passed]
        node = snapshot.node(result) if passed is None else passed_node(snapshot, passed)
        arguments = [snapshot.node(argument) for argument in self._arguments]
        if self._onlooker is not None or (self._names is not None and self._names.advance):
            changed = self._changed(iterators=True)
        nodes = described(snapshot, changed) if changed else {}
        whole = {"capped": snapshot.capped, status: node, "arguments": arguments, "globals": nodes}
        unread = snapshot.unread or (self._onlooker and self._onlooker.tired)
        return encode({**whole, "unread": True} if unread else whole)

    def _look(self, latest: list[object]) -> list[Node]:
        if self._onlooker is None:
            self._onlooker = Onlooker((self._result, *self._arguments), self._changed, self._flush)
        return self._onlooker.look(latest)

    def _changed(self, *, iterators: bool = False) -> list[Change]:
        return self._names.changed(iterators=iterators) if self._names else []
