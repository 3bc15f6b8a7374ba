"""Rows with `id` and `output`, and records of a Spellout run: every field is kept, `answer_index` as an integer."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from corpora.outputs.format import Fields, Format, UnusableRecordError, program_of


def _read(fields: Fields) -> Iterable[Fields]:
    if not isinstance(fields.get("output"), str):
        raise UnusableRecordError("has no string in 'output'")
    if fields.get("id") is None and not program_of(fields):
        raise UnusableRecordError("has neither an id nor a program and a call")
    number = {"answer_index": _number(fields["answer_index"])} if "answer_index" in fields else {}
    yield {**fields, **program_of(fields), **number}


def _number(value: object) -> int | None:
    """The number of an answer: CSV has it as text, and Parquet with missing numbers as a float."""
    if value is None or value == "":
        return None
    if isinstance(value, int | float | str) and not isinstance(value, bool):
        with suppress(ValueError, OverflowError):
            if float(value).is_integer():
                return int(float(value))
    raise UnusableRecordError("has an answer_index that is not an integer")


FORMAT = Format("rows", lambda fields: "output" in fields, _read)
