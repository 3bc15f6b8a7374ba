"""CoCoNUT (Beger and Dutta 2025): models list the lines that a call executes, in an `<ANSWER>` block.

A record has `code` and `call`, the executed lines as a list `trace`, and a `response`. The list marks the format and is
not used: answers are compared with the lines of the reference trace.
"""

from __future__ import annotations

from collections.abc import Iterable

from corpora.outputs.format import PREDICTS, Fields, Format, answered_call, has_answered_call


def _claims(fields: Fields) -> bool:
    return isinstance(fields.get("trace"), list) and has_answered_call(fields)


def _read(fields: Fields) -> Iterable[Fields]:
    return answered_call(fields, **{PREDICTS: "lines"})


FORMAT = Format("CoCoNUT", _claims, _read)
