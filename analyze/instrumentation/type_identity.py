"""Compares types by identity and ignores what a class claims (`__class__`, `__module__`, `__eq__` of its metaclass)."""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from typing import Any

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own
_name_of = type.__dict__["__name__"].__get__
_module_of = type.__dict__["__module__"].__get__
_flags_of = type.__dict__["__flags__"].__get__
_HEAP_TYPE = 1 << 9


class TypeTable:
    """A mapping whose keys are types, looked up by identity."""

    def __init__(self, names: Iterable[tuple[type, str]]) -> None:
        self._held = {id(kind): (kind, name) for kind, name in names}

    def get(self, kind: type) -> str | None:
        """Returns the value of exactly this type."""
        found = self._held.get(id(kind))
        return None if found is None else found[1]

    def __contains__(self, kind: type) -> bool:
        return id(kind) in self._held


def type_set(*kinds: type) -> TypeTable:
    """Returns a set of types; `get` returns their names."""
    return TypeTable((kind, _name_of(kind)) for kind in kinds)


def all_exactly(values: Iterable[Any], *kinds: type) -> bool:
    """Returns whether each value of an exact builtin container is exactly of one of the types."""
    known = {id(kind) for kind in kinds}
    return all(id(type(value)) in known for value in values)


def builtin_name(kind: type) -> str:
    """Returns the name of a type that is built into the interpreter; "" for all others, whatever they are called."""
    if _flags_of(kind) & _HEAP_TYPE or _module_of(kind) != "builtins":
        return ""
    name: str = _name_of(kind)
    return name


def unpacked(value: Any) -> list[Any]:
    """Returns the arguments that `*value` passes; none if reading them would run code of the program."""
    return list(value) if type(value) in _UNPACKED else []


_UNPACKED = type_set(
    *(str, bytes, list, tuple, dict, set, frozenset, range), *(type({}.keys()), type({}.values()), type({}.items()))
)
