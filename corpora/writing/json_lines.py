"""Rows as JSON lines: an object a line, in ASCII, with the rows' own fields in their order."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from corpora.errors import InputError
from corpora.rows import one_line
from corpora.writing.targets import Target


@contextmanager
def json_writer(target: Target) -> Iterator[Callable[[Mapping[str, object]], None]]:
    """Writes each row as it comes. A value that JSON does not have (a date, say) is written as its text."""

    def write(row: Mapping[str, object]) -> None:
        target.file.write(f"{as_json(row, target.name)}\n".encode("ascii"))

    yield write


def as_json(value: object, name: str) -> str:
    """A value as JSON. Raises InputError, which names the file, for one that is nested too deeply or in itself."""
    try:
        return json.dumps(dict(value) if isinstance(value, Mapping) else value, default=str)
    except (RecursionError, ValueError) as error:
        raise InputError(f"a row cannot be written as JSON: {one_line(error)}", where=name) from error
