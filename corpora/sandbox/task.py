"""Run one program inside its own process and describe what it did.

This is the only place where foreign code is executed. It trusts nothing that the program leaves behind: built-ins are
put back before anything is described, timers and trace functions are removed, and results leave as JSON made by a C
encoder that was bound before the program ran. It does not guard the machine; the limits around it do.
"""

from __future__ import annotations

import ast
import builtins
import gc
import json.encoder
import mmap
import os
import signal
import sys
import time
import types
from collections.abc import Callable
from typing import Any

from corpora.sandbox import world
from corpora.sandbox.limits import HEADROOM
from corpora.sandbox.protocol import FILENAME, LINE, REPORT_FD, REPR_LIMIT, RESULT, STDOUT_LIMIT, Job
from corpora.sandbox.shown import shown, text_of, where
from corpora.sandbox.snapshot import Snapshot, type_name

Observer = Any
Fields = dict[str, Any]

_BUILTINS = dict(vars(builtins))
_builtins_dict = vars(builtins)
_encode_text: Callable[[str], str] = json.encoder.encode_basestring_ascii
_c_make_encoder: Any = vars(json.encoder)["c_make_encoder"]
_encode_parts = _c_make_encoder(None, None, _encode_text, None, ":", ",", False, False, True)
_set_trace, _set_profile, _set_recursion_limit = sys.settrace, sys.setprofile, sys.setrecursionlimit
_set_digits, _set_timer, _gc_enable = sys.set_int_max_str_digits, signal.setitimer, gc.enable
_write, _fstat, _join, _clock = os.write, os.fstat, str.join, time.monotonic
_RECURSION, _DIGITS = sys.getrecursionlimit(), sys.get_int_max_str_digits()
_dict_clear, _dict_update, _sys, _modules = dict.clear, dict.update, sys, sys.modules


class Report:
    """Lines to the caller. Written by os.write, in order, whole; observer lines are gathered into larger writes."""

    def __init__(self, nonce: str) -> None:
        self._nonce = nonce
        self._waiting: list[str] = []
        self._size = 0

    def line(self, text: str) -> None:
        """One line from an observer."""
        encoded = f"{self._nonce} {LINE} {_encode_text(text)}\n"
        self._waiting.append(encoded)
        self._size += len(encoded)
        if self._size > 32_768:
            self.flush()

    def result(self, fields: Fields) -> None:
        """All that is known about one call."""
        self._waiting.append(f"{self._nonce} {RESULT} {encode(fields)}\n")
        self.flush()

    def flush(self) -> None:
        data = _join("", self._waiting).encode("ascii")
        self._waiting, self._size = [], 0
        while data:
            data = data[_write(REPORT_FD, data) :]


def encode(value: object) -> str:
    """JSON by the C encoder that was bound at import, so that a patched `json` changes nothing."""
    return _join("", _encode_parts(value, 0))


def restore() -> None:
    """Undo what a program may have done to the interpreter that the next steps rely on (trace functions are gone)."""
    _set_timer(signal.ITIMER_REAL, 0)
    _dict_clear(_builtins_dict)
    _dict_update(_builtins_dict, _BUILTINS)
    _set_recursion_limit(_RECURSION)
    _gc_enable()


def run_job(job: Job, observer: type[Observer] | None) -> None:
    """Run every call of the job, each on fresh module state, and report each. Returns when all are reported."""
    report = Report(job.nonce)
    stdout = sys.stdout
    for call in job.calls or ("main()",):
        world.arrange(job.world)
        _set_digits(_DIGITS)
        _sys.stdout = stdout
        run = Run(job, call, report, stdout)
        try:
            fields = run.fields(observer)
        except MemoryError:
            fields = {"status": "memory", "detail": "MemoryError while the result was described"}
        fields["stdout_end"] = _fstat(1).st_size
        report.result(fields)


class Run:
    """One call of one program."""

    def __init__(self, job: Job, call: str, report: Report, stdout: Any) -> None:
        self._job, self._call, self._report, self._stdout = job, call, report, stdout
        self._module = types.ModuleType("__main__")
        self._module.__dict__["__file__"] = FILENAME
        self._arguments: list[object] = []
        self._before: dict[str, str] = {}
        self._loaded = False

    def fields(self, observer: type[Observer] | None) -> Fields:
        """Run, then describe: exactly one of value and exception is set."""
        ballast = mmap.mmap(-1, HEADROOM, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
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
        elapsed = _clock() - start
        ballast.close()
        self._flush()
        fields = self._described(value, error)
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
        self._before = {name: _state(held) for name, held in list(namespace.items()) if _is_data(name, held)}
        self._loaded = True
        return namespace

    def _called(self) -> object:
        namespace = self._load(compile(self._job.source, FILENAME, "exec", dont_inherit=True))
        tree = ast.parse(self._call.strip(), "call", "eval")
        body = tree.body
        if not isinstance(body, ast.Call):
            return eval(compile(tree, "call", "eval", dont_inherit=True), namespace)
        function = _evaluate(body.func, namespace)
        positional: list[object] = []
        named: dict[str, object] = {}
        for argument in body.args:
            if isinstance(argument, ast.Starred):
                positional.extend(_evaluate(argument.value, namespace))
            else:
                positional.append(_evaluate(argument, namespace))
        for keyword in body.keywords:
            held = _evaluate(keyword.value, namespace)
            named.update(held if keyword.arg is None else {keyword.arg: held})
        self._arguments = [*positional, *named.values()]
        return function(*positional, **named)

    def _observed(self, observer: type[Observer]) -> object:
        watching = observer(self._job.options, self._report.line)
        namespace = self._load(watching.compile(self._job.source, FILENAME))
        return watching.run(namespace["main"])

    def _described(self, value: object, error: BaseException | None) -> Fields:
        if error is not None and isinstance(error, MemoryError):
            return {"status": "memory", "detail": where(error)}
        _set_digits(0)
        snapshot = Snapshot()
        fields: Fields = {"status": "ok" if error is None else "raised"}
        if error is None:
            fields["value"] = shown(value)
        else:
            fields["exception"] = [type_name(type(error)).rpartition(".")[2], text_of(error)]
            fields["detail"] = where(error) if self._loaded else f"{where(error)}, while the module was loading"
        fields["arguments"] = [shown(argument) for argument in self._arguments]
        changed = self._changed()
        fields["globals"] = {name: shown(held) if kept else "<deleted>" for name, kept, held in changed}
        texts = [fields.get("value", ""), *fields["arguments"], *fields["globals"].values()]
        if sum(map(len, texts)) > REPR_LIMIT or _fstat(1).st_size >= STDOUT_LIMIT:
            return {"status": "output", "detail": "more output or a longer repr than is kept"}
        node = snapshot.node(value) if error is None else snapshot.node(error)
        arguments = [snapshot.node(argument) for argument in self._arguments]
        nodes = {name: snapshot.node(held) if kept else ["deleted"] for name, kept, held in changed}
        described = {"capped": snapshot.capped, fields["status"]: node, "arguments": arguments, "globals": nodes}
        fields["snapshot"] = encode(described)
        return fields

    def _changed(self) -> list[tuple[str, bool, object]]:
        """(name, still there, value) of every module global that the call set, changed or deleted, in order."""
        if not self._loaded:
            return []
        namespace = self._module.__dict__
        changed: list[tuple[str, bool, object]] = []
        for name, held in list(namespace.items()):
            if name in self._before:
                if _state(held) != self._before[name]:
                    changed.append((name, True, held))
            elif _is_data(name, held):
                changed.append((name, True, held))
        changed += [(name, False, None) for name in self._before if name not in namespace]
        return changed


def _evaluate(node: ast.expr, namespace: dict[str, Any]) -> Any:
    return eval(compile(ast.Expression(node), "call", "eval", dont_inherit=True), namespace)


def _is_data(name: object, value: object) -> bool:
    if type(name) is not str or name[:2] == "__":
        return False
    return type(value) not in (types.FunctionType, types.BuiltinFunctionType, types.ModuleType)


def _state(value: object) -> str:
    """A text that changes when the value does; of a class, its own data attributes."""
    snapshot = Snapshot(drain=False)
    if type(value) is type:
        own = vars(value)
        return encode([snapshot.node(held) for name, held in own.items() if _is_data(name, held)])
    return encode(snapshot.node(value))
