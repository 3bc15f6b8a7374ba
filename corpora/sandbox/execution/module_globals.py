"""The globals of a module before and after a call, and what can be observed while an iterator of the program is read.

Runs inside the worker. Values are read as `corpora.sandbox.values.snapshot` reads them. This module only decides
whether a global has changed.
"""

from __future__ import annotations

import builtins
import os
import types
from collections.abc import Callable, Collection
from typing import Any

from corpora.sandbox.reporting.report_writer import encode_json
from corpora.sandbox.values.snapshot import Snapshot
from corpora.sandbox.values.value_kinds import Node, has_state, string_node

globals()["__builtins__"] = dict(vars(builtins))  # own built-ins for this module: a program may replace the shared ones
_fstat = os.fstat
_FUNCTION = types.FunctionType
_CODE_TYPES = frozenset(map(id, (_FUNCTION, types.BuiltinFunctionType, types.ModuleType)))
_ITERATOR_NODE = '["iterator"'
# Characters of state that are observed between the items of iterators. After that, only the output is observed.
MAX_OBSERVED_CHARACTERS = 1_000_000

_ABSENT = object()

GlobalChange = tuple[str, bool, object]


class ModuleGlobals:
    """The globals of a module, with their state after the module was loaded.

    Attributes:
        has_iterators: Whether a global contains an iterator.
    """

    def __init__(self, names: dict[str, object]) -> None:
        self._names = names
        self._before: dict[str, object] = {}
        self.has_iterators = False
        for name, value in names.items():
            if type(name) is not str or name[:2] == "__":
                continue
            if type(value) is _FUNCTION and not has_state(value):  # the usual case
                self._before[name] = value
                continue
            state = self._before[name] = _state(value)
            self.has_iterators = self.has_iterators or (type(state) is str and _ITERATOR_NODE in state)

    def clear_baseline(self) -> None:
        """Treat the module as empty before the call, so that all its globals count as changed."""
        self._before.clear()

    def changes(self, *, iterators: bool = False) -> list[GlobalChange]:
        """(name, whether it still exists, value) of each global that was set, changed or deleted, in order.

        Args:
            iterators: Whether to include values whose change shows only when their iterators are read.
        """
        found: list[GlobalChange] = []
        before = self._before
        for name, value in self._names.items():
            if type(name) is not str or name[:2] == "__":
                continue
            state = before.get(name, _ABSENT)
            if state is value and not (type(value) is _FUNCTION and has_state(value)):
                continue
            now = _state(value)
            if (state != now if type(state) is type(now) is str else state is not now) or (
                iterators and type(now) is str and _ITERATOR_NODE in now
            ):
                found.append((name, True, value))
        found += [(name, False, None) for name in before if name not in self._names]
        return found


def _state(value: object) -> object:
    """A string that changes when the value does; for code without state, the value itself."""
    if id(type(value)) in _CODE_TYPES and not (type(value) is _FUNCTION and has_state(value)):
        return value
    return encode_json(Snapshot(drain=False).node(value))


class IterationObserver:
    """Observes what a reader of the program's iterators can see: output so far, result, arguments, changed globals.

    Attributes:
        gave_up: Whether more than `MAX_OBSERVED_CHARACTERS` were observed, so that only the output still is.
    """

    def __init__(
        self, visible: Collection[object], changed: Callable[[], list[GlobalChange]], flush: Callable[[], None]
    ) -> None:
        self._visible, self._changed, self._flush = visible, changed, flush
        self._start = -1
        self._latest: tuple[int, str] = (0, "")
        self._seen = 0
        self.gave_up = False

    def observe(self, latest: list[object]) -> list[Node]:
        """`["seen", characters printed since the call, state]`; empty if both are unchanged."""
        self._flush()
        size = _fstat(1).st_size
        if self._start < 0:
            self._start = size
        state = "" if self.gave_up else self._state(latest)
        self._seen += len(state)
        self.gave_up = self._seen > MAX_OBSERVED_CHARACTERS
        now = size - self._start, state
        if now == self._latest:
            return []
        self._latest = now
        return [["seen", now[0], *string_node("state", state)[1:]]]

    def _state(self, latest: list[object]) -> str:
        snapshot = Snapshot(drain=False)
        changed = [[name, snapshot.node(value)] if exists else [name] for name, exists, value in self._changed()]
        return encode_json([snapshot.node((*self._visible, *latest)), changed])


def describe_changes(snapshot: Snapshot, changes: list[GlobalChange]) -> dict[str, Any]:
    """Nodes of changed globals, by name."""
    return {name: snapshot.node(value) if exists else ["deleted"] for name, exists, value in changes}
