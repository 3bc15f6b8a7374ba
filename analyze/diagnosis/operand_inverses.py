"""Which value of an operand would explain a wrong result of an operation, if the operation itself was right.

A step shows its last value only. To tell which of several operations on a line went wrong, the wrong value is traced
back: if `a + b` gave a text that ends with `b`, then `a` was wrong. Values are literals; no program code runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from analyze.operations.catalogue import find
from analyze.operations.operation import Kind

Operands = Sequence[Any]


class UnknownValue:
    """Several values or none would explain the result, or it is not known which."""


UNKNOWN = UnknownValue()


def explain(kind: str, name: str, operands: Operands, index: int, predicted: Any) -> Any:
    """Returns the value of an operand from which the predicted result follows; UNKNOWN if that is not determined.

    Args:
        kind: The kind of operation, as in `analyze.instrumentation.sites`.
        name: Its name.
        operands: The true values of all operands.
        index: The operand in question.
        predicted: The wrong result.

    Example:
        >>> explain("operator", "Add", ["ab", "c"], 0, "axc")
        'ax'
    """
    inverse = _inverse(kind, name, index)
    return UNKNOWN if inverse is None else inverse(operands, predicted)


def _inverse(kind: str, name: str, index: int) -> Callable[[Operands, Any], Any] | None:
    if kind == "operator" and name == "Add":
        return _left if index == 0 else _right
    if kind == "slice" and index == 0:
        return _sliced
    if kind == "method" and name == "join" and index == 1:
        return _pieces
    if kind == "method" and index == 0 and (method := find(name, "str")):
        return {Kind.TRIM: _part, Kind.CASE: _cased}.get(method.kind)
    return None


def _left(operands: Operands, predicted: Any) -> Any:
    right = operands[1]
    if not _alike(right, predicted):
        return UNKNOWN
    kept = len(predicted) - len(right)
    return predicted[:kept] if kept >= 0 and predicted[kept:] == right else operands[0]


def _right(operands: Operands, predicted: Any) -> Any:
    left = operands[0]
    if not _alike(left, predicted):
        return UNKNOWN
    return predicted[len(left) :] if predicted[: len(left)] == left else operands[1]


def _alike(operand: Any, predicted: Any) -> bool:
    return type(operand) is type(predicted) and isinstance(operand, str | list | tuple)


def _sliced(operands: Operands, predicted: Any) -> Any:
    """A reversal can be undone; another slice of a string is a part of it."""
    whole, *bounds = operands
    if not _alike(whole, predicted):
        return UNKNOWN
    if bounds == [None, None, -1]:
        return predicted[::-1]
    return _part(operands, predicted) if bounds[2] in (None, 1) else UNKNOWN


def _part(operands: Operands, predicted: Any) -> Any:
    """If the result is a part of the true receiver, nothing was wrong with the receiver."""
    whole = operands[0]
    return whole if isinstance(whole, str) and isinstance(predicted, str) and predicted in whole else UNKNOWN


def _cased(operands: Operands, predicted: Any) -> Any:
    whole = operands[0]
    same = isinstance(whole, str) and isinstance(predicted, str) and whole.casefold() == predicted.casefold()
    return whole if same else UNKNOWN


def _pieces(operands: Operands, predicted: Any) -> Any:
    separator, pieces = operands
    if not isinstance(separator, str) or not isinstance(predicted, str) or not isinstance(pieces, list):
        return UNKNOWN
    if separator:
        return pieces if any(separator in piece for piece in pieces) else predicted.split(separator)
    return list(predicted) if all(len(piece) == 1 for piece in pieces) else UNKNOWN
