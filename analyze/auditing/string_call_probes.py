"""The observer that records the operands of a program's string operations, in the order of execution.

It is loaded inside the sandbox's worker, so it imports the standard library only. For each `x.method(…)`, `x in y` and
`x[i]` (`analyze.instrumentation`) whose receiver is exactly a `str`, it emits a line of JSON: {"step", "line",
"column", "method", "text", "pattern", "limit", "window", "index", "result"}. The last line holds the number of
operations: {"steps", "kept", "cut"}. Not in scope: concatenation and formatting.
"""

from __future__ import annotations

import builtins
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import CodeType
from typing import Any

from analyze.hazards.match_positions import AUDITED_METHODS, BOUNDED_METHODS, LIMIT_ARGUMENT
from analyze.instrumentation.instrument import Instrumentation
from analyze.instrumentation.observer import Observer
from analyze.instrumentation.sites import InstrumentedSite, Marker
from analyze.instrumentation.type_identity import unpacked

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own
OBSERVED = AUDITED_METHODS | {"format"}
MAX_KEPT = 2_000
MAX_CHARACTERS = 20_000
_encode = json.dumps


class StringCallObserver(Observer):
    """Records string operations.

    The options `max_kept` and `max_characters` (of one operand) limit the recording; "cut" counts what exceeds them.
    """

    def __init__(self, options: Mapping[str, Any], emit: Callable[[str], None]) -> None:
        self._emit = emit
        self._max_kept = int(options.get("max_kept", MAX_KEPT))
        self._max_characters = int(options.get("max_characters", MAX_CHARACTERS))
        self._seen: set[tuple[object, ...]] = set()
        self._steps = self._cut = 0

    def compile(self, source: str, filename: str) -> CodeType:
        """Compiles the module with probes around its string operations."""
        instrumentation = Instrumentation(source, self)
        self._probes = instrumentation.probes
        return instrumentation.compile(source, filename)

    def run(self, entry: Callable[[], object]) -> object:
        """Calls `entry`, then emits the number of operations."""
        try:
            return entry()
        finally:
            self._probes.end()
            self._emit(_encode({"steps": self._steps, "kept": len(self._seen), "cut": self._cut}))

    def wants(self, kind: str, name: str, is_chained: bool) -> bool:
        """Selects audited string methods, membership tests and subscripts."""
        if kind == "method":
            return name in OBSERVED
        return kind in ("item", "slice") or (kind == "operator" and name in ("In", "NotIn") and not is_chained)

    def operation(self, site: InstrumentedSite, operands: Sequence[Any], result: Any, order: int) -> None:
        """Records an operation whose receiver is a string."""
        if type(result) is Marker or any(type(held) is Marker for held in operands) or site.position is None:
            return
        first, *rest = operands
        where = site.position[:2]
        if site.kind == "operator":
            if type(rest[0]) is str:
                self._record(where, "in", rest[0], (first,), {}, None)
        elif type(first) is not str:
            return
        elif site.kind == "method":
            self._record(where, site.name, first, *bind_arguments(site, rest), result)
        elif all(type(part) is int or (part is None and site.kind == "slice") for part in rest):
            self._keep(where, "[]", first, index=rest)

    def _record(
        self, where: tuple[int, int], name: str, text: str, args: Sequence[Any], named: dict[str, Any], result: object
    ) -> None:
        shown = result if type(result) is str else None
        if name == "join":
            self._keep(where, name, shown or "", pattern=text)
            return
        first = args[0] if args else named.get("sep", named.get("old"))
        place = LIMIT_ARGUMENT.get(name, len(args))
        limit = args[place] if place < len(args) else named.get("maxsplit", named.get("count"))
        window = [*args[1:3], None][:2] if name in BOUNDED_METHODS and len(args) > 1 else None
        for pattern in first if type(first) is tuple else (first,):
            self._keep(
                where,
                name,
                text,
                pattern=pattern if type(pattern) is str else None,
                limit=limit if type(limit) is int else None,
                window=window if window and all(part is None or type(part) is int for part in window) else None,
                result=shown,
            )

    def _keep(self, where: tuple[int, int], method: str, text: str, **details: object) -> None:
        self._steps += 1
        key = (*where, method, text, _encode(details))
        if key in self._seen:
            return
        strings: Iterable[str] = (text, *(value for value in details.values() if isinstance(value, str)))
        if len(self._seen) >= self._max_kept or any(len(value) > self._max_characters for value in strings):
            self._cut += 1
            return
        self._seen.add(key)
        begin = {"step": self._steps, "line": where[0], "column": where[1], "method": method, "text": text}
        self._emit(_encode(begin | {name: value for name, value in details.items() if value is not None}))


def bind_arguments(site: InstrumentedSite, given: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Returns arguments by position and by name; `*` and `**` are unpacked unless that runs program code."""
    placed: list[Any] = []
    named: dict[str, Any] = {}
    for how, value in zip(site.passed[1:], given, strict=True):
        if how == "":
            placed.append(value)
        elif how == "*":
            placed += unpacked(value)
        elif how == "**" and type(value) is dict:
            named.update((name, held) for name, held in value.items() if type(name) is str)
        elif how != "**":
            named[how] = value
    return tuple(placed), named
