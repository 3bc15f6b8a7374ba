"""The observer of the values of a program's expressions: exact types, lengths, numbers, and where methods are found.

It is loaded in the sandbox worker, so it needs only the standard library. It looks at the value of every expression
that is evaluated (`analyze.instrumentation`). If a method is looked up on the value, it also checks whether the type
holds a function under that name and nothing comes before it, without running code of the program. Types are compared by
identity, so that no class can pass for another. Each call runs on a fresh module. After each call the observer emits a
line: {"call", "status", "seen"}. `seen` is a list with an entry for each evaluated expression: line, column, end line,
end column, types, least and greatest length, least and greatest number, plain, contents. Not in scope: judging the
facts, and f-strings whose parts this Python version positions elsewhere.
"""

from __future__ import annotations

import builtins
import os
import types
from collections.abc import Callable, Mapping
from typing import Any

from analyze.instrumentation.guard import RecorderAccess, guard
from analyze.instrumentation.instrument import Instrumentation
from analyze.instrumentation.observer import Observer
from analyze.instrumentation.sites import InstrumentedExpression, Position
from analyze.instrumentation.type_identity import type_set
from corpora.sandbox.execution.call_steps import ParsedCall
from corpora.sandbox.execution.program_module import import_module
from corpora.sandbox.reporting.report_writer import encode_json
from rewrite.evidence.value_contents import VIEWS, contents

globals()["__builtins__"] = dict(vars(builtins))  # the functions below must not see builtins that a program replaces
_exit = os._exit
_TYPES = type_set(*(str, int, float, bool, bytes, list, tuple, dict, set, frozenset, range, complex, type(None)))
OPAQUE = "opaque"
_NAMELESS = type_set(
    *(types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.GeneratorType),
    *(types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType),
    *(types.MethodWrapperType, types.CoroutineType, types.AsyncGeneratorType),
)
_SIZED = type_set(str, bytes, list, tuple, dict, set, frozenset, range, *VIEWS)
_FUNCTIONS = type_set(
    *(types.FunctionType, types.MethodDescriptorType, types.WrapperDescriptorType),
    *(types.ClassMethodDescriptorType, types.BuiltinFunctionType, staticmethod, classmethod),
)
_ITERATORS = type_set(types.GeneratorType, map, filter, zip, enumerate, reversed)
_MOST_ITEMS = 500
_LARGEST = 2**62
_mro = type.__dict__["__mro__"].__get__
_names_of = type.__dict__["__dict__"].__get__
_get = object.__getattribute__
Entry = list[Any]


class ValueObserver(Observer):
    """Runs calls and records the values of expressions.

    Options: `calls`, strings, each run on a module of its own; `places`, the positions that are recorded (none: all).
    """

    values = True

    def __init__(self, options: Mapping[str, Any], emit: Callable[[str], None]) -> None:
        self._emit = emit
        self._calls = [ParsedCall(call, True) for call in options["calls"]]
        self._places: frozenset[Position] = frozenset(map(tuple, options["places"]))
        self._seen: dict[Position, Entry] = {}
        self._number = 0  # of the running call

    def compile(self, source: str, filename: str) -> types.CodeType:
        """Compile the module with probes and keep the code; return a module with an empty `main`."""
        self._code = Instrumentation(source, self).compile(source, filename)
        return compile("def main(): pass", filename, "exec", dont_inherit=True)

    def run(self, entry: Callable[[], object]) -> object:
        """Run every call in turn; an exception does not stop the run."""
        self._access = RecorderAccess()
        guard(self._code.co_filename, self._noticed)
        for number, call in enumerate(self._calls):
            self._number = number
            self._seen.clear()
            status = self._called(call)
            self._emit(encode_json({"call": self._number, "status": status, "seen": self._noted()}))
        return None

    def _noticed(self, why: str) -> None:
        """End the process: a program that inspects the interpreter could change what is recorded."""
        self._emit(encode_json({"call": self._number, "status": why, "seen": []}))
        _exit(0)

    def _called(self, call: ParsedCall) -> str:
        module = import_module()
        try:
            exec(self._code, module.__dict__)
            if call.error:
                raise call.error
            named: dict[str, Any] = {}
            for step in call.steps:
                value = step.value(module.__dict__, named, [])
                _read_on(value)
                if step.name:
                    named[step.name] = value
        except MemoryError:
            return "memory"
        except BaseException:  # noqa: BLE001 - whatever a program raises is evidence too
            return "raised"
        return "ok"

    def _noted(self) -> list[list[Any]]:
        return [
            [*position, sorted(kinds), least, most, low, high, plain, sorted(held)]
            for position, (kinds, least, most, low, high, plain, held) in self._seen.items()
        ]

    def value(self, expression: InstrumentedExpression, value: Any) -> None:
        """Record a value, and whether its type holds the method looked up on it as a function."""
        assert expression.position is not None
        name, place = expression.method or ("", None)
        access = self._access.what(value, name)
        if access:
            self._noticed(access)
        if self._is_recorded(expression.position):
            self._note(value, expression.position)
        if place is None or not self._is_recorded(place):
            return
        plain = is_plain(value, name)
        known = self._seen.get(place)
        if known is None:
            self._seen[place] = [set(), None, None, None, None, plain, set()]
        elif known[5] is None:
            known[5] = plain
        elif not plain:
            known[5] = False

    def _is_recorded(self, position: Position) -> bool:
        return not self._places or position in self._places

    def _note(self, value: Any, position: Position) -> None:
        kind = type(value)
        size = len(value) if kind in _SIZED else None
        amount = value if kind is int and -_LARGEST < value < _LARGEST else None
        known = self._seen.get(position)
        if known is None:
            self._seen[position] = [{type_of(kind)}, size, size, amount, amount, None, contents(value)]
            return
        known[0].add(type_of(kind))
        if known[6]:
            known[6] &= contents(value)
        if size is None or known[1] is None:
            known[1] = known[2] = None
        elif not known[1] <= size <= known[2]:
            known[1], known[2] = min(known[1], size), max(known[2], size)
        if amount is None or known[3] is None:
            known[3] = known[4] = None
        elif not known[3] <= amount <= known[4]:
            known[3], known[4] = min(known[3], amount), max(known[4], amount)


def _read_on(value: Any) -> None:
    """Exhaust a generator that a call returns, up to a limit: what it does belongs to the call."""
    if type(value) in _ITERATORS:
        for count, _ in enumerate(value):
            if count >= _MOST_ITEMS:
                break


def type_of(kind: type) -> str:
    """Return the name of a builtin type, OPAQUE if values show only an address or a name, or "" for any other type."""
    known = _TYPES.get(kind)
    if known is not None:
        return known
    return OPAQUE if kind in _NAMELESS or _on(kind, "__repr__") is object.__dict__["__repr__"] else ""


def is_plain(receiver: Any, name: str) -> bool:
    """Whether `receiver.name` is a function found directly on the type, or on the module or class itself.

    No code of the program runs to find this out.
    """
    kind = type(receiver)
    if kind is types.ModuleType:
        return dict.__contains__(_get(receiver, "__dict__"), name)
    if kind is type:
        found = _on(receiver, name)
        return type(found) in _FUNCTIONS and _on(type, name) is None
    if type(_on(kind, "__getattribute__")) is not types.WrapperDescriptorType:
        return False  # the class has its own lookup
    if type(_on(kind, name)) not in _FUNCTIONS:
        return False
    own = _on(kind, "__dict__")
    if own is None:
        return True  # its instances have no __dict__
    return type(own) is types.GetSetDescriptorType and not dict.__contains__(_get(receiver, "__dict__"), name)


def _on(kind: type, name: str) -> Any:
    """What the type or one of its bases holds under a name, or None."""
    for base in _mro(kind):
        held = _names_of(base)
        if name in held:
            return held[name]
    return None
