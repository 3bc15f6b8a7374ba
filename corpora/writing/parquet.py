"""Rows as Parquet (needs the extra `datasets`).

A column has an Arrow type of its own where all its values have one and come back from it the same. Any other column
(values of several types, objects with different keys, integers beyond 64 bits) is JSON text, and its schema field says
so: the reader returns the values, other tools see a column of strings. A field that a row lacks is null.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from corpora.errors import InputError
from corpora.reading.packages import needed
from corpora.reading.parquet import AS_JSON
from corpora.rows import one_line
from corpora.writing.json_lines import as_json
from corpora.writing.spool import Spool
from corpora.writing.targets import Target

ROWS_AT_ONCE = 2048
"""A row group: readers hold one, and small ones cost them time."""


@contextmanager
def parquet_writer(target: Target) -> Iterator[Callable[[Mapping[str, object]], None]]:
    """Takes rows, and writes them at the end of the block, when the type of every column is known."""
    arrow, parquet = needed("pyarrow"), needed("pyarrow.parquet")
    with Spool(target.folder) as spool:
        yield spool.add
        if spool.size and not spool.columns:
            raise InputError("Parquet cannot hold rows without fields", where=target.name)
        try:
            schema = arrow.schema([_field(arrow, name, kind) for name, kind in _types(arrow, spool).items()])
            with parquet.ParquetWriter(target.file, schema) as writer:
                for batch in spool.batches(ROWS_AT_ONCE):
                    writer.write_table(_table(arrow, schema, batch, target.name))
        except (arrow.ArrowException, UnicodeEncodeError) as error:
            raise InputError(f"cannot be written as Parquet: {one_line(error)}", where=target.name) from error


def _types(arrow: Any, spool: Spool) -> dict[str, Any]:
    """The Arrow type of each column; None for one that needs JSON."""
    found = dict.fromkeys(spool.columns, arrow.null())
    for batch in spool.batches(ROWS_AT_ONCE):
        for name, known in found.items():
            if known is not None:
                found[name] = _common(arrow, known, _type(arrow, [row.get(name) for row in batch]))
    return found


def _type(arrow: Any, values: list[object]) -> Any:
    """The type that gives back exactly these values; None where there is none."""
    try:
        column = arrow.array(values)
        exact = repr(column.to_pylist()) == repr(values)
    except (arrow.ArrowException, ValueError, TypeError, OverflowError, RecursionError):
        return None
    return column.type if exact and not _has_empty_struct(arrow, column.type) else None


def _has_empty_struct(arrow: Any, kind: Any) -> bool:
    """Parquet has no objects without keys."""
    inner = [kind.field(number).type for number in range(kind.num_fields)]
    return (arrow.types.is_struct(kind) and not inner) or any(_has_empty_struct(arrow, one) for one in inner)


def _common(arrow: Any, one: Any, other: Any) -> Any:
    """The type of two batches together: equal, but for lists that were empty and values that were null."""
    if other is None or one.equals(other) or arrow.types.is_null(other):
        return None if other is None else one
    if arrow.types.is_null(one):
        return other
    if arrow.types.is_list(one) and arrow.types.is_list(other):
        inner = _common(arrow, one.value_type, other.value_type)
        return None if inner is None else arrow.list_(inner)
    return None


def _field(arrow: Any, name: str, kind: Any) -> Any:
    return arrow.field(name, arrow.string(), metadata=AS_JSON) if kind is None else arrow.field(name, kind)


def _table(arrow: Any, schema: Any, batch: list[dict[str, object]], name: str) -> Any:
    columns = []
    for field in schema:
        values = [row.get(field.name) for row in batch]
        if field.metadata:
            values = [None if value is None else as_json(value, name) for value in values]
        columns.append(arrow.array(values, field.type))
    return arrow.Table.from_arrays(columns, schema=schema)
