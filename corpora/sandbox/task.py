"""Run one program inside its own process and describe what it did.

This is the only place where foreign code is executed. It trusts nothing that the program leaves behind: it and
what it calls have built-ins of their own, timers and trace functions are removed, and results leave as JSON made by a
C encoder that was bound before the program ran. It does not guard the machine; the limits around it do.
"""

from __future__ import annotations

import ast
import builtins
import gc
import mmap
import os
import signal
import sys
import time
import types
from typing import Any

from corpora.sandbox import world
from corpora.sandbox.kinds import Node, type_name
from corpora.sandbox.limits import HEADROOM
from corpora.sandbox.namespace import Change, Namespace, Onlooker, described
from corpora.sandbox.protocol import FILENAME, REPR_LIMIT, STDOUT_LIMIT, Job
from corpora.sandbox.reporter import Fields, Report, encode
from corpora.sandbox.shown import shown, text_of, where
from corpora.sandbox.snapshot import Snapshot

Observer = Any

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own
_BUILTINS = dict(vars(builtins))
_builtins_dict = vars(builtins)
_set_trace, _set_profile, _set_recursion_limit = sys.settrace, sys.setprofile, sys.setrecursionlimit
_set_digits, _set_timer, _gc_enable = sys.set_int_max_str_digits, signal.setitimer, gc.enable
_fstat, _clock = os.fstat, time.monotonic
_RECURSION, _DIGITS = sys.getrecursionlimit(), sys.get_int_max_str_digits()
_dict_clear, _dict_update, _sys, _modules = dict.clear, dict.update, sys, sys.modules


def restore() -> None:
    """Undo what a program may have done to the interpreter that the next steps rely on (trace functions are gone)."""
    _set_timer(signal.ITIMER_REAL, 0)
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
    report, stdout, reserve = Report(job.nonce), sys.stdout, Reserve()
    source = Source(job.source)
    for number, call in enumerate(job.calls or ("main()",)):
        if number:
            _dict_clear(_builtins_dict)
            _dict_update(_builtins_dict, _BUILTINS)
        world.arrange(job.world)
        _set_digits(_DIGITS)
        _sys.stdout = stdout
        reserve.keep()
        run = Run(job, source, call, report, stdout, reserve)
        try:
            fields = run.fields(observer)
        except MemoryError:
            fields = {"status": "memory", "detail": "MemoryError while the result was described"}
        if "stdout_end" not in fields:
            fields["stdout_end"] = _fstat(1).st_size
        report.result(fields)


class Reserve:
    """Address space kept back from a program, given back where it ran out, to describe what it did."""

    def __init__(self) -> None:
        self._held: mmap.mmap | None = None

    def keep(self) -> None:
        if self._held is None:
            self._held = mmap.mmap(-1, HEADROOM, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)

    def give(self) -> None:
        if self._held is not None:
            self._held.close()
            self._held = None


class Source:
    """The program's text, compiled once for all calls; a text that does not compile raises at each."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._code: types.CodeType | None = None

    def code(self) -> types.CodeType:
        if self._code is None:
            self._code = compile(self._text, FILENAME, "exec", dont_inherit=True)
        return self._code


class Run:
    """One call of one program."""

    def __init__(self, job: Job, source: Source, call: str, report: Report, stdout: Any, reserve: Reserve) -> None:
        self._job, self._source, self._call, self._report = job, source, call, report
        self._stdout, self._reserve = stdout, reserve
        self._module = types.ModuleType("__main__")
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
        try:
            self._stdout.flush()
        except Exception:  # noqa: BLE001 - closed or full: what could be written has been, and its size is checked
            return

    def _load(self, code: types.CodeType) -> dict[str, Any]:
        namespace = self._module.__dict__
        _modules["__main__"] = self._module
        exec(code, namespace)
        self._names = Namespace(namespace)
        return namespace

    def _called(self) -> object:
        namespace = self._load(self._source.code())
        body = ast.parse(self._call.strip(), "call", "eval").body
        if not isinstance(body, ast.Call):
            return eval(compile(ast.Expression(body), "call", "eval", dont_inherit=True), namespace)
        function, positional, values = _parts(body, namespace)
        named: dict[str, object] = {}
        for keyword, held in zip(body.keywords, values, strict=True):
            more = {keyword.arg: held} if keyword.arg is not None else {**held}
            if named.keys() & more.keys():
                function(*positional, **named, **more)  # raises what Python raises for a keyword given twice
            named.update(more)
        self._arguments = [*positional, *named.values()]
        return function(*positional, **named)

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
            fields["value"] = shown(value)
        else:
            fields["exception"] = [type_name(type(error)).rpartition(".")[2], text_of(error)]
            fields["detail"] = where(error) if self._names else f"{where(error)}, while the module was loading"
        fields["arguments"] = [shown(argument) for argument in self._arguments]
        changed = self._changed()
        fields["globals"] = {name: shown(held) if kept else "<deleted>" for name, kept, held in changed}
        texts = [fields.get("value", ""), *fields["arguments"], *fields["globals"].values()]
        if sum(map(len, texts)) > REPR_LIMIT:
            self._flush()
            return {"status": "output", "detail": "a longer repr than is kept"}
        fields["snapshot"] = self._snapshot(fields["status"], value if error is None else error, changed)
        self._flush()
        fields["stdout_end"] = _fstat(1).st_size
        if fields["stdout_end"] >= STDOUT_LIMIT:
            return {"status": "output", "detail": "more output than is kept"}
        return fields

    def _snapshot(self, status: str, result: object, changed: list[Change]) -> str:
        """Result, arguments and changed globals as text; to read an iterator in them is to let it go on."""
        snapshot = Snapshot(look=self._look)
        self._result = result
        node = snapshot.node(result)
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


def _parts(call: ast.Call, namespace: dict[str, Any]) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:
    """(function, arguments, keyword values) of a call, evaluated in the order in which a call does."""
    if type(call.func) is ast.Name and call.func.id in namespace:
        # `f('text', 3)`, the usual call of a benchmark, needs no code; most of a call's cost would be compiling it
        constants = [node.value for node in call.args if type(node) is ast.Constant]
        if len(constants) == len(call.args) and not call.keywords:
            return namespace[call.func.id], tuple(constants), ()
    parts: tuple[Any, tuple[Any, ...], tuple[Any, ...]] = eval(_compiled_parts(call), namespace)
    return parts


def _compiled_parts(call: ast.Call) -> types.CodeType:
    """Code for `(function, (arguments…), (keyword values…))`, which evaluates in the order in which a call does."""
    place: Any = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}
    arguments = ast.Tuple(call.args, ast.Load(), **place)
    values = ast.Tuple([keyword.value for keyword in call.keywords], ast.Load(), **place)
    parts = ast.Tuple([call.func, arguments, values], ast.Load(), **place)
    return compile(ast.Expression(parts), "call", "eval", dont_inherit=True)
