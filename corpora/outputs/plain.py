"""Rows with `id` and `output`, and records of a Spellout run: every field is kept."""

from __future__ import annotations

from collections.abc import Iterable

from corpora.outputs.format import Fields, Format, UnusableRecordError, program_of


def _read(fields: Fields) -> Iterable[Fields]:
    if not isinstance(fields.get("output"), str):
        raise UnusableRecordError("has no string in 'output'")
    if fields.get("id") is None and not program_of(fields):
        raise UnusableRecordError("has neither an id nor a program and a call")
    yield {**fields, **program_of(fields)}


FORMAT = Format("rows", lambda fields: "output" in fields, _read)
