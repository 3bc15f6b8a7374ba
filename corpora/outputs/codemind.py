"""CodeMind (Liu et al. 2024): independent execution reasoning (IER), the prediction of a result.

A record has `task`, `code`, `call` and `response`. Its other tasks judge programs that a model wrote (DER, SR).
"""

from __future__ import annotations

from collections.abc import Iterable

from corpora.outputs.format import Fields, Format, UnusableRecordError, answered_call, has_answered_call, text_of

_READ, _UNREAD = "IER", ("DER", "SR")


def _read(fields: Fields) -> Iterable[Fields]:
    if fields["task"] != _READ:
        raise UnusableRecordError(f"its task {fields['task']!r} is not read (read: {_READ})")
    return answered_call(fields)


def _claims(fields: Fields) -> bool:
    return text_of(fields, "task") in (_READ, *_UNREAD) and has_answered_call(fields)


FORMAT = Format("CodeMind", _claims, _read)
