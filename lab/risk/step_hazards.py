"""Finds the tokenization hazards of each step of a trace: its recorded string operations, in the trace context."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from analyze.auditing.string_calls import cut_positions
from analyze.hazards.base import all_hazards
from analyze.hazards.batch import QuestionBatch, StringQuestion
from analyze.hazards.match_positions import (
    BOUNDED_METHODS,
    EDIT_METHODS,
    LIMIT_ARGUMENT,
    SEARCH_METHODS,
    WHITESPACE_METHODS,
)
from analyze.risk.steps import Operand, RecordedOperation
from analyze.tokens.engines import TokenizationEngine

HAZARDS: tuple[str, ...] = tuple(kind.name for kind in all_hazards())
"""The columns of `step_hazards`."""


def step_hazards(made: Sequence[Sequence[RecordedOperation]], engine: TokenizationEngine) -> NDArray[np.bool_]:
    """Returns bool [frames, HAZARDS]: whether an operation of the frame's step has the hazard."""
    asked = [(frame, question) for frame, found in enumerate(made) for one in found for question in questions(one)]
    found = np.zeros((len(made), len(HAZARDS)), dtype=bool)
    if asked:
        frames = np.array([frame for frame, _ in asked])
        batch = QuestionBatch([question for _, question in asked], engine, "trace")
        for column, kind in enumerate(all_hazards()):
            found[frames[kind.find(batch).rows], column] = True
    return found


def is_search(operation: RecordedOperation) -> bool:
    """Whether the operation searches a string, with or without a hazard."""
    return any(question.method in SEARCH_METHODS for question in questions(operation))


def is_edit(operation: RecordedOperation) -> bool:
    """Whether the operation is a method that turns a string into another."""
    return operation.kind == "method" and operation.receiver.type == "str" and operation.name in EDIT_METHODS


def string_work(made: Sequence[RecordedOperation]) -> tuple[bool, bool, int]:
    """Returns whether operations search a string, whether they edit one, and the length of their longest string."""
    lengths = [part.length for one in made for part in (*one.operands, one.result) if part.type == "str"]
    return any(map(is_search, made)), any(map(is_edit, made)), max(lengths, default=0)


def questions(operation: RecordedOperation) -> Iterator[StringQuestion]:
    """Yields the questions that an operation asks about a string; none if its operands are not complete strings."""
    receiver = _text(operation.receiver)
    if operation.kind == "operator" and operation.name in ("In", "NotIn"):
        item, container = (_text(operand) for operand in operation.operands)
        if item is not None and container is not None:
            yield StringQuestion(container, item, "in")
    elif receiver is None:
        return
    elif operation.kind in ("item", "slice"):
        cuts = cut_positions(_index(operation), len(receiver))
        if cuts:
            yield StringQuestion(receiver, None, "[]", cuts=cuts)
    elif operation.kind == "method" and (operation.name in SEARCH_METHODS or operation.name in EDIT_METHODS):
        yield from _of_method(operation, receiver)


def _of_method(operation: RecordedOperation, receiver: str) -> Iterator[StringQuestion]:
    name, result = operation.name, _text(operation.result)
    if name == "join":
        if result is not None:
            yield StringQuestion(result, receiver, "join")
        return
    pattern = _text(operation.operands[1]) if name in SEARCH_METHODS and len(operation.operands) > 1 else None
    if pattern is None and name in SEARCH_METHODS and name not in WHITESPACE_METHODS | EDIT_METHODS:
        return
    window = None
    if name in BOUNDED_METHODS and len(operation.operands) > 2:
        bounds = [operand.value if isinstance(operand.value, int) else None for operand in operation.operands[2:4]]
        low, high, _ = slice(*[*bounds, None][:2]).indices(len(receiver))
        window = (low, max(low, high))
    place = LIMIT_ARGUMENT.get(name, len(operation.operands)) + 1  # the receiver is operand 0
    limit = operation.operands[place].value if place < len(operation.operands) else -1
    yield StringQuestion(receiver, pattern, name, result, limit=limit if isinstance(limit, int) else -1, window=window)


def _index(operation: RecordedOperation) -> int | slice | None:
    parts = [operand.value if isinstance(operand.value, int) else None for operand in operation.operands[1:]]
    return slice(*parts) if operation.kind == "slice" else parts[0]


def _text(operand: Operand) -> str | None:
    """Returns the value of a string operand; None if it was truncated or holds lone surrogates."""
    value = operand.value
    if not isinstance(value, str) or len(value) != operand.length:
        return None
    return None if any("\ud800" <= character <= "\udfff" for character in value) else value
