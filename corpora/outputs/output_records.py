"""The records of a file: lines of a data set, items of one JSON document, or samples of an inspect_ai log."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from corpora.dataset import read_rows
from corpora.errors import InputError
from corpora.outputs import inspect_ai
from corpora.outputs.cruxeval import GENERATIONS, ID
from corpora.rows import BadRow, Row, Rows, one_line

LARGEST_DOCUMENT = 1 << 30
"""Bytes; a JSON document is read whole, JSON lines are not."""


def records(path: Path) -> Rows:
    """The records of a file. Raises InputError if it cannot be read as a whole."""
    if path.suffix == inspect_ai.SUFFIX:
        yield from inspect_ai.samples(path)
        return
    document = _document(path) if path.suffix == ".json" else None
    if document is None:
        yield from read_rows(path)
    elif inspect_ai.is_log(document):
        yield from inspect_ai.samples(path)
    else:
        yield from _items(document, path)


def _document(path: Path) -> Any:
    """The JSON document of a file; None if it holds JSON lines. Any: JSON."""
    try:
        if path.stat().st_size > LARGEST_DOCUMENT:
            reason = f"is a JSON document of more than {LARGEST_DOCUMENT} bytes: use JSON lines"
            raise InputError(reason, where=str(path))
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from error
    except (ValueError, RecursionError) as error:
        if isinstance(error, json.JSONDecodeError) and error.msg == "Extra data":
            return None
        raise InputError(f"is not JSON: {one_line(error)}", where=str(path)) from error
    is_line = isinstance(content, dict) and "output" in content
    return None if is_line else content


def _items(document: Any, path: Path) -> Iterator[Row | BadRow]:
    if isinstance(document, Mapping):
        if not any(_is_generations(value) for value in document.values()):
            raise InputError("is a JSON object of no known format", where=str(path))
        items: list[Any] = [{ID: name, GENERATIONS: value} for name, value in document.items()]
    elif isinstance(document, list):
        items = document
    else:
        raise InputError(f"is JSON, but {type(document).__name__} instead of a list or an object", where=str(path))
    for number, item in enumerate(items, 1):
        where = f"{path}:{item[ID]}" if isinstance(document, Mapping) else f"{path}[{number - 1}]"
        if isinstance(item, Mapping):
            yield Row(number, where, item)
        else:
            yield BadRow(number, where, f"not a JSON object but {type(item).__name__}")


def _is_generations(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(text, str) for text in value)
