"""The observer that records what each step of a run computes: operations with the types, sizes and values of operands.

It is loaded inside the sandbox's worker, so it imports the standard library only. It records each call of a method or a
plain builtin, each operator, comparison, subscript and f-string (`analyze.instrumentation`) as [frame, kind, name,
operands, result]; an operand is [type, length or -1, string or number or null]. `frame` is the index of the frame that
the operation leads to: the number of frames in the trace at that time. The observer emits batches of these records,
then the events of the run, which `analyze.risk.steps` compares with the reference trace. What the program's own
`__repr__` does while the tracer shows a state belongs to no step.

Not in scope: links of chained comparisons, which the risk model was fitted without.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import Any

from analyze.gold_trace.step_observer import StepObserver
from analyze.gold_trace.tracer import PlainSum
from analyze.instrumentation.sites import InstrumentedSite, Marker
from analyze.instrumentation.type_identity import builtin_name, unpacked
from analyze.operations.catalogue import operators
from corpora.sandbox.reporting.report_writer import encode_json

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own
MAX_OPERATIONS = 50_000
MAX_TEXT = 400
BATCH_SIZE = 256
# The calls that the published weights were fitted on. They are part of the fitted model.
_BUILTINS = frozenset(
    {"abs", "all", "any", "bool", "chr", "dict", "divmod", "enumerate", "filter", "float", "int", "isinstance", "len",
    "list", "map", "max", "min", "ord", "pow", "print", "range", "repr", "reversed", "round", "set", "sorted", "str",
    "sum", "tuple", "type", "zip"}
)  # fmt: skip
_UNARY = operators(lambda one: not one.arguments)
_OWN = {name: getattr(builtins, name) for name in _BUILTINS}
_SIZED = {id(kind): builtin_name(kind) for kind in (bytes, list, tuple, dict, set, frozenset, range)}
_NOTHING: list[Any] = ["", -1, None]
_RAISES: list[Any] = ["raises", -1, None]
Operand = list[Any]


class OperationObserver(StepObserver):
    """Records operations; after `max_operations` (an option) it records no more, and the last line says so."""

    def __init__(self, options: Mapping[str, Any], emit: Callable[[str], None]) -> None:
        self._emit = emit
        self._left = int(options.get("max_operations", MAX_OPERATIONS))
        self._lot: list[list[Any]] = []
        super().__init__()

    def begin(self) -> None:
        """Discards the operations of the module's top level."""
        self._lot.clear()

    def end(self) -> None:
        """Emits the last batch and the events."""
        self._flush()
        self._emit(encode_json({"events": self.events, "cut": self._left <= 0 or self.is_cut}))

    def _note(self, frame: int, kind: str, name: str, operands: list[Operand], result: Operand) -> None:
        if self._left > 0:
            self._left -= 1
            self._lot.append([frame, kind, name, operands, result])
            if len(self._lot) >= BATCH_SIZE:
                self._flush()

    def _flush(self) -> None:
        if self._lot:
            self._emit(encode_json(self._lot))
            self._lot.clear()

    # The hooks.

    def wants(self, kind: str, name: str, is_chained: bool) -> bool:
        """Selects what the risk model was fitted on: no unary operators, attributes and chained comparisons."""
        if kind == "call":
            return name in _BUILTINS or (name != "" and not hasattr(builtins, name))
        return not is_chained and name not in _UNARY and kind not in ("boolean", "attribute")

    def sees(self, frame: FrameType) -> bool:
        """Excludes what the program computes for the tracer, and everything beyond the limit."""
        return self._left > 0 and super().sees(frame)

    def operand(self, site: InstrumentedSite, index: int, value: Any) -> tuple[int, Any]:
        """Returns the number of frames so far, and the operands; for a called function, whether it is a builtin."""
        frame = self.frame()
        if index == 0 and site.kind == "call":
            return frame, value is _OWN.get(site.name, _OWN) or type(value) is PlainSum
        if site.passed and site.passed[index] == "*":
            return frame, list(map(operand, unpacked(value)))
        if site.passed and site.passed[index] == "**":
            return frame, list(map(operand, dict.values(value))) if type(value) is dict else []
        if site.kind == "item" and index == 1 and type(value) is slice:
            return frame, list(map(operand, (value.start, value.stop, value.step)))
        return frame, [operand(value)]

    def operation(self, site: InstrumentedSite, operands: Sequence[Any], result: Any, order: int) -> None:
        """Records an operation with the frame that it leads to.

        A call of the program's own function is recorded with the frame of its look-up.
        """
        if site.kind == "operator" and result is not Marker.RAISED:  # the most frequent case by far
            [(_, left), (_, right)] = operands
            self._note(self.frame(), "operator", site.name, left + right, operand(result))
            return
        known = [pair for pair in operands if pair is not Marker.UNSEEN]
        frame = self.frame() if result is not Marker.RAISED else max(pair[0] for pair in known)
        given = [part for _, parts in known[site.kind == "call" :] for part in parts]
        if site.kind == "call" and site.name not in _BUILTINS:
            self._note(known[0][0], "call", "", [], _NOTHING)
        elif site.kind == "call" and not known[0][1]:
            return  # the program defines its own function of this name
        elif result is Marker.RAISED:
            if site.kind == "method":
                self._note(frame, "method", site.name, given, _RAISES)
        elif site.kind == "augmented":
            if len(known) == 2:
                self._note(frame, "operator", site.name, given, _NOTHING)
        elif result is Marker.UNSEEN or len(known) < len(operands):
            return  # the read of an augmented assignment, or a subscript with several slices
        else:
            kind = "slice" if site.kind == "item" and len(given) == 4 else site.kind
            self._note(frame, kind, site.name, given if site.kind != "format" else [], operand(result))


def operand(value: Any) -> Operand:
    """Returns [type, length or -1, string or number or null] of a builtin value; of any other value the type only."""
    kind = type(value)
    if kind is str:
        return ["str", len(value), value[:MAX_TEXT]]
    if kind is int or kind is bool:
        return ["int" if kind is int else "bool", -1, value if -(2**62) < value < 2**62 else None]
    sized = _SIZED.get(id(kind))  # by identity and without a call, which would be traced
    return [builtin_name(kind), -1, None] if sized is None else [sized, len(value), None]
