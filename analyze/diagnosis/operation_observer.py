"""The observer that records the operations of a run with the reprs of their operands and results.

It is loaded inside the sandbox's worker, so it imports the standard library only. `analyze.diagnosis.operation_values`
reads what it emits.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from analyze.gold_trace.step_observer import StepObserver
from analyze.instrumentation.sites import InstrumentedSite, Marker
from analyze.instrumentation.type_identity import type_set
from corpora.sandbox.reporting.report_writer import encode_json

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own
MAX_OPERATIONS = 20_000
MAX_REPR = 4_000
_LITERALS = type_set(str, int, float, bool, bytes, type(None))
_SEQUENCES = type_set(list, tuple, set, frozenset, range)
_MAX_DEPTH = 20


class OperationValueObserver(StepObserver):
    """Emits each operation as [frame, kind, name, position, reprs of operands, repr of result]; last, the events."""

    def __init__(self, options: Mapping[str, Any], emit: Callable[[str], None]) -> None:
        self._emit = emit
        self._wanted = options["frame"]
        self._left = 0
        super().__init__(self._wanted)

    def begin(self) -> None:
        """Starts recording: the module's top level does not count."""
        self._left = MAX_OPERATIONS

    def end(self) -> None:
        """Emits the events."""
        self._emit(encode_json(self.events))

    def wants(self, kind: str, name: str, is_chained: bool) -> bool:
        """Selects all but attributes that are read, which are no operations here."""
        return kind not in ("boolean", "attribute")

    def operand(self, site: InstrumentedSite, index: int, value: Any) -> str:
        """Returns the repr at once, because the operation may change the value."""
        return exact_repr(value) if self._left > 0 else ""

    def operation(self, site: InstrumentedSite, operands: Sequence[Any], result: Any, order: int) -> None:
        """Emits the operation, if it leads to the frame that is asked for."""
        frame = self.frame()
        if self._left <= 0 or self._wanted not in (None, frame):
            return
        self._left -= 1
        kept = operands[1:] if site.kind == "call" else operands
        held = ["" if value is Marker.UNSEEN else value for value in kept]
        kind = "operator" if site.kind == "augmented" else site.kind
        self._emit(encode_json([frame, kind, site.name, site.position, held, exact_repr(result)]))


def exact_repr(value: Any) -> str:
    """Returns the repr of a value of exact builtin types; "" for every other value, whose repr may run program code."""
    if not _is_exact(value, 0):
        return ""
    text = repr(value)
    return text if len(text) <= MAX_REPR else ""


def _is_exact(value: Any, depth: int) -> bool:
    kind = type(value)
    if kind in _LITERALS:
        return True
    if depth > _MAX_DEPTH:
        return False
    if kind is dict:
        return all(_is_exact(part, depth + 1) for pair in dict.items(value) for part in pair)
    return kind in _SEQUENCES and (kind is range or all(_is_exact(part, depth + 1) for part in value))
