"""The observer that notes what a program's expressions are worth: exact types, lengths, numbers, where methods stand.

It is loaded inside the sandbox's worker, so it needs the standard library only. Of every expression that is evaluated
(`analyze.instrumentation`) the value is looked at; for one that a method is looked up on, also, without running any
code of the program, whether the type holds a function under that name and nothing comes before it. Types are known by
identity: no class can pass for another. Each call runs on a module of its own; after each a line is emitted: {"call",
"status", "seen"}, `seen` being [line, column, end line, end column, types, least and greatest length, least and
greatest number, plain, contents] for each expression that was evaluated.
Not in scope: judging, and f-strings whose parts this Python places elsewhere.
"""

from __future__ import annotations

import builtins
import os
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any

from analyze.instrumentation.exact_types import all_exactly, type_set
from analyze.instrumentation.guard import guard
from analyze.instrumentation.instrument import Instrumentation
from analyze.instrumentation.observer import Observer
from analyze.instrumentation.sites import Expression, Position
from corpora.sandbox.execution.call_steps import Text
from corpora.sandbox.reporting.report_writer import encode

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own
_builtins, _clear, _update = vars(builtins), dict.clear, dict.update
_modules, _exit = sys.modules, os._exit
_TYPES = type_set(*(str, int, float, bool, bytes, list, tuple, dict, set, frozenset, range, complex, type(None)))
OPAQUE = "opaque"
_NAMELESS = type_set(
    *(types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.GeneratorType),
    *(types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType),
    *(types.MethodWrapperType, types.CoroutineType, types.AsyncGeneratorType),
)
_SIZED = type_set(str, bytes, list, tuple, dict, set, frozenset, range)
_FUNCTIONS = type_set(
    *(types.FunctionType, types.MethodDescriptorType, types.WrapperDescriptorType),
    *(types.ClassMethodDescriptorType, types.BuiltinFunctionType, staticmethod, classmethod),
)
_ITERATORS = type_set(types.GeneratorType, map, filter, zip, enumerate, reversed)
_HOLDERS = type_set(list, tuple, dict)
_MOST_ITEMS = 500
_LARGEST = 2**62
_mro = type.__dict__["__mro__"].__get__
_names_of = type.__dict__["__dict__"].__get__
_get = object.__getattribute__
Entry = list[Any]


class Expressions(Observer):
    """Options: `calls`, texts that are run one after the other, each on a module of its own."""

    values = True

    def __init__(self, options: Mapping[str, Any], emit: Callable[[str], None]) -> None:
        self._emit = emit
        self._calls = [Text(call, True) for call in options["calls"]]
        self._seen: dict[Position, Entry] = {}
        self._number = 0  # of the call that runs

    def compile(self, source: str, filename: str) -> types.CodeType:
        """Keeps the module's code, with probes around its expressions; gives a module with an empty `main`."""
        self._code = Instrumentation(source, self).compile(source, filename)
        return compile("def main(): pass", filename, "exec", dont_inherit=True)

    def run(self, entry: Callable[[], object]) -> object:
        """Every call in turn; what one raises is no reason to stop."""
        before = dict(_builtins)
        guard(self._code.co_filename, self._noticed)
        for number, call in enumerate(self._calls):
            self._number = number
            self._seen.clear()
            _clear(_builtins)
            _update(_builtins, before)
            status = self._called(call)
            self._emit(encode({"call": self._number, "status": status, "seen": self._noted()}))
        return None

    def _noticed(self, what: str) -> None:
        """Ends the process: a program that goes on from here could change what is recorded."""
        self._emit(encode({"call": self._number, "status": f"it inspects the interpreter ({what})", "seen": []}))
        _exit(0)

    def _called(self, call: Text) -> str:
        module = types.ModuleType("__main__")
        module.__dict__.update(__file__="<program>", __builtins__=builtins)
        _modules["__main__"] = module
        try:
            exec(self._code, module.__dict__)
            if call.failed:
                raise call.failed
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

    def value(self, expression: Expression, value: Any) -> None:
        """Notes a value, and whether the type has the method that is looked up on it as a function."""
        assert expression.position is not None
        self._note(value, expression.position)
        if expression.method is None:
            return
        name, place = expression.method
        plain = is_plain(value, name)
        known = self._seen.get(place)
        if known is None:
            self._seen[place] = [set(), None, None, None, None, plain, set()]
        elif known[5] is None:
            known[5] = plain
        elif not plain:
            known[5] = False

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
    """What a generator does when it is read belongs to the call; of an endless one, a part."""
    if type(value) in _ITERATORS:
        for count, _ in enumerate(value):
            if count >= _MOST_ITEMS:
                break


def contents(value: Any) -> set[str]:
    """What of `rewrite.evidence.assumptions.CONTENTS` is so of a value; of a long one, nothing is known."""
    kind = type(value)
    if kind is str:
        return {"is ASCII only"} if str.isascii(value) else set()
    if kind not in _HOLDERS or len(value) > _MOST_ITEMS:
        return set()
    if kind is not dict:
        return {"holds exactly str"} if all_exactly(value, str) else set()
    return _entries(dict.values(value)) if all_exactly(value, int) else set()


def _entries(values: Any) -> set[str]:
    """What is so of the values of a table such as `str.translate` takes."""
    found = {"maps exactly int to exactly int, str or None"} if all_exactly(values, int, str, type(None)) else set()
    if all_exactly(values, int, type(None)) and all(item is None or 0 <= item < 0x110000 for item in values):
        found.add("maps exactly int to numbers of characters or None")
        if all_exactly(values, int):
            found.add("maps exactly int to numbers of characters")
    if all_exactly(values, str, type(None)):
        found.add("maps exactly int to exactly str or None")
    return found


def type_of(kind: type) -> str:
    """The name of a builtin type; OPAQUE for one whose values show nothing but an address or a name; "" for others."""
    known = _TYPES.get(kind)
    if known is not None:
        return known
    return OPAQUE if kind in _NAMELESS or _on(kind, "__repr__") is object.__dict__["__repr__"] else ""


def is_plain(receiver: Any, name: str) -> bool:
    """Whether `receiver.name` is a function that its type holds (a module or class: itself), found without more ado.

    No code of the program runs to find this out.
    """
    kind = type(receiver)
    if kind is types.ModuleType:
        return dict.__contains__(_get(receiver, "__dict__"), name)
    if kind is type:
        found = _on(receiver, name)
        return type(found) in _FUNCTIONS and _on(type, name) is None
    if type(_on(kind, "__getattribute__")) is not types.WrapperDescriptorType:
        return False  # a class that looks things up itself
    if type(_on(kind, name)) not in _FUNCTIONS:
        return False
    own = _on(kind, "__dict__")
    if own is None:
        return True  # its instances have none
    return type(own) is types.GetSetDescriptorType and not dict.__contains__(_get(receiver, "__dict__"), name)


def _on(kind: type, name: str) -> Any:
    """What the type or its bases hold under a name, None for nothing."""
    for base in _mro(kind):
        held = _names_of(base)
        if name in held:
            return held[name]
    return None
