"""Writes rows as JSON lines: one object per line, in ASCII, with fields in their order."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from corpora.errors import InputError
from corpora.rows import one_line
from corpora.writing.targets import OutputTarget


@contextmanager
def json_writer(target: OutputTarget) -> Iterator[Callable[[Mapping[str, object]], None]]:
    """Writes each row at once. A value that JSON does not support (a date, for example) is written as its string."""

    def write(row: Mapping[str, object]) -> None:
        target.file.write(f"{as_json(row, target.name)}\n".encode("ascii"))

    yield write


def as_json(value: object, name: str) -> str:
    """A value as JSON. Raises InputError, which names the file, if it is nested too deeply or contains itself."""
    try:
        return json.dumps(dict(value) if isinstance(value, Mapping) else value, default=str)
    except (RecursionError, ValueError) as error:
        raise InputError(f"a row cannot be written as JSON: {one_line(error)}", where=name) from error
