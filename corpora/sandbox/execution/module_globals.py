"""A module's names before and after a call, and what can be seen while an iterator of the program is read.

Runs inside the worker. Reads values as `corpora.sandbox.values.snapshot` does; decides only whether a name has changed.
"""

from __future__ import annotations

import builtins
import os
import types
from collections.abc import Callable, Collection
from typing import Any

from corpora.sandbox.reporting.report_writer import encode
from corpora.sandbox.values.snapshot import Snapshot
from corpora.sandbox.values.value_kinds import Node, keeps, text_node

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own
_fstat = os.fstat
_FUNCTION = types.FunctionType
_CODE = frozenset(map(id, (_FUNCTION, types.BuiltinFunctionType, types.ModuleType)))
_ADVANCES = '["iterator"'
# Characters of state that are looked at between the items of iterators; after that only output is.
MAX_SEEN = 1_000_000

_ABSENT = object()

Change = tuple[str, bool, object]


class Namespace:
    """Module globals as they were when the module had been loaded."""

    def __init__(self, names: dict[str, object]) -> None:
        self._names = names
        self._before: dict[str, object] = {}
        self.advance = False
        for name, held in names.items():
            if type(name) is not str or name[:2] == "__":
                continue
            if type(held) is _FUNCTION and not keeps(held):  # as most are
                self._before[name] = held
                continue
            state = self._before[name] = _state(held)
            self.advance = self.advance or (type(state) is str and _ADVANCES in state)

    def forget(self) -> None:
        """Take the module to have been empty: what loading it leaves behind is then what has changed."""
        self._before.clear()

    def changed(self, *, iterators: bool = False) -> list[Change]:
        """(name, still there, value) of each that was set, changed or deleted, in order.

        iterators: those as well whose change would only show when they are read on.
        """
        found: list[Change] = []
        before = self._before
        for name, held in self._names.items():
            if type(name) is not str or name[:2] == "__":
                continue
            state = before.get(name, _ABSENT)
            if state is held and not (type(held) is _FUNCTION and keeps(held)):
                continue
            now = _state(held)
            if (state != now if type(state) is type(now) is str else state is not now) or (
                iterators and type(now) is str and _ADVANCES in now
            ):
                found.append((name, True, held))
        found += [(name, False, None) for name in before if name not in self._names]
        return found


def _state(value: object) -> object:
    """A text that changes when the value does; of code that keeps nothing, the value itself."""
    if id(type(value)) in _CODE and not (type(value) is _FUNCTION and keeps(value)):
        return value
    return encode(Snapshot(drain=False).node(value))


class Onlooker:
    """Sees what a reader of the program's iterators would: output so far, result, arguments, changed globals."""

    def __init__(
        self, visible: Collection[object], changed: Callable[[], list[Change]], flush: Callable[[], None]
    ) -> None:
        self._visible, self._changed, self._flush = visible, changed, flush
        self._start = -1
        self._latest: tuple[int, str] = (0, "")
        self._seen = 0
        self.tired = False

    def look(self, latest: list[object]) -> list[Node]:
        """`["seen", characters printed since the call, state]`, or nothing where both are as they were."""
        self._flush()
        size = _fstat(1).st_size
        if self._start < 0:
            self._start = size
        state = "" if self.tired else self._state(latest)
        self._seen += len(state)
        self.tired = self._seen > MAX_SEEN
        now = size - self._start, state
        if now == self._latest:
            return []
        self._latest = now
        return [["seen", now[0], *text_node("state", state)[1:]]]

    def _state(self, latest: list[object]) -> str:
        snapshot = Snapshot(drain=False)
        changed = [[name, snapshot.node(held)] if kept else [name] for name, kept, held in self._changed()]
        return encode([snapshot.node((*self._visible, *latest)), changed])


def described(snapshot: Snapshot, changes: list[Change]) -> dict[str, Any]:
    """Nodes of changed globals by name."""
    return {name: snapshot.node(held) if kept else ["deleted"] for name, kept, held in changes}
