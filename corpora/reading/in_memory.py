"""Rows from Python objects: lists of dicts, pandas data frames, Arrow tables, `datasets.Dataset`, `Case`s, rows.

The types are recognized by their methods, so no package is imported. Any other object is read as an iterable of
mappings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from corpora.errors import InputError
from corpora.program import Case
from corpora.rows import BadRow, Row, Rows

BATCH_ROWS = 256


def object_rows(source: Any) -> Rows:
    """The rows of an object. Raises InputError if it contains no rows, or if it is a data set with splits."""
    if isinstance(source, Mapping):
        if source and all(hasattr(value, "column_names") for value in source.values()):
            raise InputError(f"choose a split: it has {', '.join(map(str, source))}")
        raise InputError("a mapping contains no rows: pass a list of mappings")
    for number, item in enumerate(_items(source), 1):
        yield _row(number, item)


def case_fields(case: Case) -> dict[str, object]:
    """The fields of the row that `case_from_row` reads as this case."""
    return {name: value for name, value in asdict(case).items() if value is not None}


def _items(source: Any) -> Iterator[object]:
    if hasattr(source, "iloc") and hasattr(source, "to_dict"):
        return _frame_rows(source)
    if hasattr(source, "to_batches") and hasattr(source, "column_names"):
        return (item for batch in source.to_batches(BATCH_ROWS) for item in batch.to_pylist())
    if isinstance(source, Iterable) and not isinstance(source, bytes):
        return iter(source)
    raise InputError(f"{type(source).__name__} contains no rows: pass a path or a list of dicts")


def _frame_rows(frame: Any) -> Iterator[object]:
    """The rows of a data frame. Missing values (None, NaN, NA) become None."""
    for start in range(0, len(frame), BATCH_ROWS):
        part = frame.iloc[start : start + BATCH_ROWS]
        for fields, missing in zip(part.to_dict("records"), part.isna().to_numpy(), strict=True):
            yield {
                str(name): None if absent else value
                for (name, value), absent in zip(fields.items(), missing, strict=True)
            }


def _row(number: int, item: object) -> Row | BadRow:
    if isinstance(item, Row | BadRow):
        return item
    if isinstance(item, Case):
        return Row(number, item.id, case_fields(item))
    if isinstance(item, Mapping):
        return Row(number, f"row {number}", {str(name): value for name, value in item.items()})
    return BadRow(number, f"row {number}", f"{type(item).__name__}, not a mapping")
