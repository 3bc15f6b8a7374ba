"""RE2-Bench (Liu et al. 2025): results in an `[OUTPUT]` block, and values of variables as `[STATE]` annotations.

A record has `task`, `code`, `call` and `response`. Predictions of inputs and branches are not read.
"""

from __future__ import annotations

from collections.abc import Iterable

from corpora.outputs.format import (
    PREDICTS,
    Fields,
    Format,
    UnusableRecordError,
    answered_call,
    has_answered_call,
    text_of,
)

_TASKS = {"output prediction": {}, "loop prediction": {PREDICTS: "states"}}
_UNREAD = ("input prediction", "branch prediction")


def _task(fields: Fields) -> str:
    return (text_of(fields, "task") or "").lower().replace("_", " ")


def _read(fields: Fields) -> Iterable[Fields]:
    task = _task(fields)
    if task not in _TASKS:
        raise UnusableRecordError(f"its task {task!r} is not read (read: {', '.join(_TASKS)})")
    return answered_call(fields, **_TASKS[task])


def _claims(fields: Fields) -> bool:
    return _task(fields) in (*_TASKS, *_UNREAD) and has_answered_call(fields)


FORMAT = Format("RE2-Bench", _claims, _read)
