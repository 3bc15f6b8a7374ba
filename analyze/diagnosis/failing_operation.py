"""The operation that produced the first wrong value of a model's output.

The operations of the step are recorded in evaluation order (`analyze.diagnosis.operation_values`). The search begins
at the operation whose result the wrong frame shows, and goes back to its operands as long as the predicted value shows
that an operand was wrong already (`analyze.diagnosis.operand_inverses`). Where it does not show that, every operation
that may have failed is returned.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analyze.diagnosis.answer_comparison import value_in_force
from analyze.diagnosis.divergence import Diagnosis
from analyze.diagnosis.operand_inverses import UNKNOWN, explain
from analyze.diagnosis.operation_values import ValuedOperation, record_values
from analyze.gold_trace.frames import UNCHANGED
from analyze.gold_trace.trace import Trace, physical_lines
from corpora.literals import parse_literal

NO_VALUE = "the first divergence is not the value of a state or of a result"
NOT_READABLE = "the end of the output cut off the first wrong frame"
KEY_ORDER = "the states differ in the order of their variables only"
NO_OPERATION = "no recorded operation of the step produced the value (an iteration, a display or a plain copy)"
NOT_RECORDED = "the operations of the step could not be recorded"
SEVERAL = "each of these operations may have produced the wrong value: no state shows the values between them"
Suspects = list[tuple[ValuedOperation, str]]


@dataclass(frozen=True)
class FailingOperation:
    """An operation that produced a wrong value.

    Attributes:
        line: Its line in the program, from 1; None if its position is not certain.
        column: Its first column, from 1, in bytes.
        operation: Its text.
        reference: The repr of its result.
        predicted: The repr that the model's output has instead; "" if the output does not show it.
        recorded: The operation with its operands.
    """

    line: int | None
    column: int | None
    operation: str
    reference: str
    predicted: str
    recorded: ValuedOperation


@dataclass(frozen=True)
class OperationDiagnosis:
    """The operations that may have produced the first wrong value.

    Attributes:
        operations: One if the evidence decides, several if it does not, none if no operation was found.
        reason: Why the evidence does not decide; "" if it does.
    """

    operations: tuple[FailingOperation, ...]
    reason: str = ""


def find_failing_operation(trace: Trace, diagnosis: Diagnosis) -> OperationDiagnosis:
    """Returns the operation that produced the first wrong value of an output.

    Args:
        trace: The reference trace.
        diagnosis: The diagnosis of the output.

    Example:
        >>> from analyze import diagnose, trace_call
        >>> trace = trace_call("def f(s):\\n    t = s.strip() + '!'\\n    return t", "f(' ab ')")
        >>> found = find_failing_operation(trace, diagnose(trace, trace.text.replace("ab!", "b!")))
        >>> [(one.line, one.operation, one.reference, one.predicted) for one in found.operations]
        [(2, 's.strip()', "'ab'", "'b'")]
    """
    if diagnosis.kind not in ("state", "return value"):
        return OperationDiagnosis((), NO_VALUE)
    try:
        wrong = list(_wrong_values(trace, diagnosis.frame, json.loads(diagnosis.true), json.loads(diagnosis.predicted)))
    except ValueError:
        return OperationDiagnosis((), NOT_READABLE)
    if not wrong:
        return OperationDiagnosis((), KEY_ORDER)
    operations = record_values(trace, frame=diagnosis.frame)
    if operations is None:
        return OperationDiagnosis((), NOT_RECORDED)
    found = [suspects for value in wrong if (suspects := _suspects(operations, *value))]
    if not found:
        return OperationDiagnosis((), NO_OPERATION)
    first = min(found, key=lambda suspects: suspects[0][0].position or (0,))
    texts = physical_lines(trace.context)
    told = tuple(_told(one, predicted, texts) for one, predicted in first)
    return OperationDiagnosis(told, SEVERAL if len(told) > 1 else "")


def _wrong_values(trace: Trace, frame: int, true: Any, predicted: Any) -> Iterator[tuple[str, str]]:
    """Yields the reprs of each wrong value: reference, prediction; "" for a variable that the output lacks."""
    if isinstance(true, str):
        yield true, str(predicted)
        return
    for name, value in true.items():
        shown = predicted.get(name, "")
        if value == shown:
            continue
        reference = value_in_force(trace.frames, frame, name) if value == UNCHANGED else value
        # All earlier frames are right, so a value that the output calls unchanged is the reference's earlier value.
        unchanged = value_in_force(trace.frames, frame - 1, name) if shown == UNCHANGED else shown
        yield reference or "", unchanged or ""


def _suspects(operations: Sequence[ValuedOperation], true: str, predicted: str) -> Suspects:
    """Returns the operations that may have produced a value, in evaluation order, with the predicted results."""
    # An augmented assignment has no visible result; a method that changes its receiver returns None.
    changing = [one for one in operations if one.result == "" or (one.kind == "method" and one.result == "None")]
    found = _producers(operations, true, predicted, several=not changing)
    if found or not changing:
        return found
    charged = _charged(operations, changing[-1], predicted)
    return [(replace(one, result=true) if one is changing[-1] else one, value) for one, value in charged]


def _producers(operations: Sequence[ValuedOperation], true: str, predicted: str, *, several: bool) -> Suspects:
    """Returns the suspects whose result is the value, or the first element in which it differs.

    Args:
        operations: The operations of the step.
        true: The repr of the value.
        predicted: The repr of the wrong value.
        several: Whether several elements may differ.
    """
    makers = [one for one in operations if one.result == true]
    if makers:
        return _charged(operations, makers[-1], predicted)
    parts = list(_differing_parts(literal(true), literal(predicted)))
    if not parts or (len(parts) > 1 and not several):
        return []
    return _producers(operations, repr(parts[0][0]), repr(parts[0][1]), several=several)


def _differing_parts(true: Any, predicted: Any) -> Iterator[tuple[Any, Any]]:
    """Yields the elements of two containers of the same form that differ."""
    if type(true) is not type(predicted) or not isinstance(true, list | tuple | dict) or len(true) != len(predicted):
        return
    if isinstance(true, dict):
        if list(true) == list(predicted):
            yield from ((true[key], predicted[key]) for key in true if true[key] != predicted[key])
    else:
        yield from ((one, other) for one, other in zip(true, predicted, strict=True) if one != other)


def _charged(operations: Sequence[ValuedOperation], found: ValuedOperation, predicted: str) -> Suspects:
    """Goes back from an operation with a wrong result to the operands that explain it."""
    operands = [literal(text) for text in found.operands]
    value, certain, possible = literal(predicted), [], []
    for index, inner in computed_operands(operations, found):
        source = UNKNOWN if value is UNKNOWN else explain(found.kind, found.name, operands, index, value)
        if source is UNKNOWN:
            possible += _charged(operations, inner, "")
        elif source != operands[index]:
            certain += _charged(operations, inner, repr(source))
    suspects = certain or [*possible, (found, predicted)]
    return sorted(dict(suspects).items(), key=lambda pair: operations.index(pair[0]))


def computed_operands(
    operations: Sequence[ValuedOperation], outer: ValuedOperation
) -> Iterator[tuple[int, ValuedOperation]]:
    """Yields the operands that an operation inside it computed: index, operation."""
    inside = [one for one in operations[: operations.index(outer)] if _is_inside(one, outer)]
    direct = [one for one in inside if not any(_is_inside(one, other) for other in inside)]
    for index, text in enumerate(outer.operands):
        yield from [(index, one) for one in direct if text and one.result == text][:1]


def _is_inside(one: ValuedOperation, other: ValuedOperation) -> bool:
    if one.position is None or other.position is None or one.position == other.position:
        return False
    return other.position[:2] <= one.position[:2] and one.position[2:] <= other.position[2:]


def literal(text: str) -> Any:
    """The value of a repr; UNKNOWN if it is not a literal."""
    try:
        return parse_literal(text)
    except ValueError:
        return UNKNOWN


def _told(one: ValuedOperation, predicted: str, texts: Sequence[str]) -> FailingOperation:
    if one.position is None:
        return FailingOperation(None, None, f"{one.kind} {one.name}".strip(), one.result, predicted, one)
    line, column, last, end = one.position
    text = texts[line - 1].encode()[column : end if last == line else None].decode(errors="replace").rstrip("\n")
    return FailingOperation(line, column + 1, text, one.result, predicted, one)
