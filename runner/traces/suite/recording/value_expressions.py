"""Writes values as Python expressions that build them again, without pickle and without running code of the values.

Supported are literals and containers of exactly the built-in types, some types of the standard library, members of
enumerations, named tuples, and dataclasses that their own fields rebuild. Anything else is refused with a reason, also
a mutable object that occurs twice, because an expression would build two.
"""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import math
import pathlib
import types
import uuid
from collections.abc import Callable, Iterable
from typing import Any

MAX_CHARACTERS = 4000
MAX_VALUES = 2000
_LITERAL = (type(None), bool, int, str, bytes, type(Ellipsis))
# Types whose repr is an expression, given the name of their module.
_TIMES = (datetime.date, datetime.datetime, datetime.time, datetime.timedelta, datetime.timezone)
_REPR_IN: dict[type, str] = {
    **dict.fromkeys(_TIMES, "datetime."),
    decimal.Decimal: "decimal.",
    fractions.Fraction: "fractions.",
    pathlib.PosixPath: "pathlib.",
    pathlib.PurePosixPath: "pathlib.",
    uuid.UUID: "uuid.",
}


class UnrebuildableError(Exception):
    """A value that no expression rebuilds; the message says why."""


class ExpressionWriter:
    """Writes the expressions of one call.

    Args:
        is_own: Whether a module belongs to the package.

    Attributes:
        imports: Modules of the standard library that the expressions name.
        names: (module, name) of the package's classes and functions that they name.
    """

    def __init__(self, is_own: Callable[[str], bool]) -> None:
        self._is_own = is_own
        self.imports: set[str] = set()
        self.names: set[tuple[str, str]] = set()
        self._seen: dict[int, object] = {}  # mutable values by id, kept alive so that the ids stay unique
        self._left = MAX_VALUES

    def call(self, name: str, arguments: Iterable[object], keywords: dict[str, object]) -> str:
        """The expression of a call. Raises UnrebuildableError."""
        try:
            parts = [self.write(value) for value in arguments]
            parts += [f"{key}={self.write(value)}" for key, value in keywords.items()]
        except RecursionError:
            raise UnrebuildableError("an argument is nested too deeply") from None
        text = f"{name}({', '.join(parts)})"
        if len(text) > MAX_CHARACTERS:
            raise UnrebuildableError(f"the call is longer than {MAX_CHARACTERS} characters")
        if not all(key.isidentifier() for key in keywords):
            raise UnrebuildableError("a keyword is not an identifier")
        return text

    def write(self, value: object) -> str:
        """The expression of a value. Raises UnrebuildableError."""
        self._left -= 1
        if self._left < 0:
            raise UnrebuildableError(f"the arguments have more than {MAX_VALUES} values")
        kind = type(value)
        if kind in _LITERAL:
            text = repr(value)
            if len(text) > MAX_CHARACTERS:
                raise UnrebuildableError(f"an argument is longer than {MAX_CHARACTERS} characters")
            return text
        if isinstance(value, float) and kind is float:
            return repr(value) if math.isfinite(value) else f"float({str(value)!r})"
        if isinstance(value, complex) and kind is complex:
            return f"complex({self.write(value.real)}, {self.write(value.imag)})"
        if kind in _CONTAINERS:
            self._remember(value)
            return _CONTAINERS[kind](self, value)
        if kind in _REPR_IN:
            return self._standard(value, _REPR_IN[kind])
        return self._object(value)

    def _remember(self, value: object) -> None:
        if type(value) in (tuple, frozenset, range, slice):
            return
        if id(value) in self._seen:
            raise UnrebuildableError("arguments share a mutable object")
        self._seen[id(value)] = value

    def _standard(self, value: object, prefix: str) -> str:
        if isinstance(value, (datetime.datetime, datetime.time)) and type(value.tzinfo) not in (
            type(None),
            datetime.timezone,
        ):
            raise UnrebuildableError(f"a time zone of type {type(value.tzinfo).__name__}")
        self.imports.add(prefix.rstrip("."))
        text = repr(value)
        return text if text.startswith(prefix) else prefix + text

    def _object(self, value: Any) -> str:
        kind = type(value)
        if isinstance(value, type) or kind in (types.FunctionType, types.BuiltinFunctionType):
            return self._named(value)
        if isinstance(value, enum.Enum) and value.name is not None:
            return f"{self._named(kind)}[{value.name!r}]"
        if isinstance(value, tuple) and hasattr(kind, "_fields"):
            return f"{self._named(kind)}({', '.join(self.write(one) for one in value)})"
        if dataclasses.is_dataclass(kind):
            self._remember(value)
            return self._dataclass(value, kind)
        raise UnrebuildableError(f"an argument has type {kind.__module__}.{kind.__qualname__}")

    def _dataclass(self, value: Any, kind: Any) -> str:
        fields = dataclasses.fields(kind)
        state = vars(value) if hasattr(value, "__dict__") else None
        extra = state is not None and set(state) - {field.name for field in fields}
        if not kind.__dataclass_params__.init or extra or not all(field.init for field in fields):
            raise UnrebuildableError(f"the fields of {kind.__qualname__} do not rebuild it")
        if "__post_init__" in dir(kind):
            raise UnrebuildableError(f"{kind.__qualname__} has __post_init__")
        parts = (f"{field.name}={self.write(getattr(value, field.name))}" for field in fields)
        return f"{self._named(kind)}({', '.join(parts)})"

    def _named(self, value: Any) -> str:
        module, name = value.__module__ or "", value.__qualname__
        if module == "builtins" and "." not in name:
            return str(name)
        if "." in name or "<" in name or not self._is_own(module):
            raise UnrebuildableError(f"an argument is or has type {module}.{name}")
        self.names.add((module, name))
        return str(name)


def _items(writer: ExpressionWriter, value: Any) -> str:
    return ", ".join(writer.write(one) for one in value)


def _tuple(writer: ExpressionWriter, value: Any) -> str:
    return f"({_items(writer, value)}{',' if len(value) == 1 else ''})"


def _set(writer: ExpressionWriter, value: Any) -> str:
    inner = ", ".join(sorted(writer.write(one) for one in value))
    return f"{{{inner}}}" if inner else "set()"


def _dict(writer: ExpressionWriter, value: Any) -> str:
    return f"{{{', '.join(f'{writer.write(key)}: {writer.write(one)}' for key, one in value.items())}}}"


def _deque(writer: ExpressionWriter, value: Any) -> str:
    writer.imports.add("collections")
    length = "" if value.maxlen is None else f", {value.maxlen}"
    return f"collections.deque([{_items(writer, value)}]{length})"


def _defaultdict(writer: ExpressionWriter, value: Any) -> str:
    writer.imports.add("collections")
    return f"collections.defaultdict({writer.write(value.default_factory)}, {_dict(writer, value)})"


def _collection(name: str) -> Callable[[ExpressionWriter, Any], str]:
    def write(writer: ExpressionWriter, value: Any) -> str:
        writer.imports.add("collections")
        return f"collections.{name}({_dict(writer, value)})"

    return write


_CONTAINERS: dict[type, Callable[[ExpressionWriter, Any], str]] = {
    list: lambda writer, value: f"[{_items(writer, value)}]",
    tuple: _tuple,
    set: _set,
    frozenset: lambda writer, value: f"frozenset({_set(writer, value) if value else ''})",
    dict: _dict,
    bytearray: lambda writer, value: f"bytearray({bytes(value)!r})",
    range: lambda writer, value: repr(value),
    slice: lambda writer, value: f"slice({_items(writer, (value.start, value.stop, value.step))})",
    collections.deque: _deque,
    collections.defaultdict: _defaultdict,
    collections.OrderedDict: _collection("OrderedDict"),
    collections.Counter: _collection("Counter"),
}
