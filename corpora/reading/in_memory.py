"""Rows from Python objects: lists of dicts, pandas data frames, Arrow tables, `datasets.Dataset`, `Case`s, rows.

Nothing is imported for it: what is none of these by its looks is taken as an iterable of mappings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from corpora.errors import InputError
from corpora.program import Case
from corpora.rows import BadRow, Row, Rows

ROWS_AT_ONCE = 256


def object_rows(source: Any) -> Rows:
    """The rows of an object. Raises InputError for one that holds none, and for a data set with splits."""
    if isinstance(source, Mapping):
        raise InputError(_of_mapping(source))
    for number, item in enumerate(_items(source), 1):
        yield _row(number, item)


def case_fields(case: Case) -> dict[str, object]:
    """The fields of a row that reads as this case."""
    return {name: value for name, value in asdict(case).items() if value is not None}


def _items(source: Any) -> Iterator[object]:
    if hasattr(source, "iloc") and hasattr(source, "to_dict"):
        return _of_frame(source)
    if hasattr(source, "to_batches") and hasattr(source, "column_names"):
        return (item for batch in source.to_batches(ROWS_AT_ONCE) for item in batch.to_pylist())
    if isinstance(source, Iterable) and not isinstance(source, bytes):
        return iter(source)
    raise InputError(f"{type(source).__name__} holds no rows: a path or a list of dicts is needed")


def _of_frame(frame: Any) -> Iterator[object]:
    """Missing values (None, NaN, NA) are None."""
    for start in range(0, len(frame), ROWS_AT_ONCE):
        part = frame.iloc[start : start + ROWS_AT_ONCE]
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
    return BadRow(number, f"row {number}", f"not a mapping but {type(item).__name__}")


def _of_mapping(source: Mapping[Any, Any]) -> str:
    if source and all(hasattr(value, "column_names") for value in source.values()):
        return f"choose a split: it has {', '.join(map(str, source))}"
    return "a mapping holds no rows: a list of them is needed"
